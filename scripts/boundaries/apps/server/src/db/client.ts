import { app } from '../app.ts'

export const client = `one-way ${app}`
