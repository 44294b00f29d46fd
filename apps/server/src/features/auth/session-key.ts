import { hash, randomBytes } from 'node:crypto'

const prefix = 'acs_'
const length = prefix.length + 43

/** 256 random bits. */
export const makeSessionKey = (): string => prefix + randomBytes(32).toString('base64url')

/** Whether this could be a session key at all; then it is no try at the admin key. */
export const isSessionKey = (key: string): boolean => key.length === length && key.startsWith(prefix)

/** A fast hash is enough: 256 random bits cannot be guessed from it. */
export const digestOf = (key: string): string => hash('sha256', key, 'base64')
