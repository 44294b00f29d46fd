import { client } from '../../db/client.ts'

export const limit = `thin-face, and feature-face.grit ${client}`
