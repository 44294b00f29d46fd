import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

export const newSiteId = (): string => `site_${Array.from({ length: 16 }, () => letters[randomInt(36)]).join('')}`
