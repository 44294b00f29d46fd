import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'

const iterations = 4096

/**
 * What PostgreSQL keeps of a password (https://www.rfc-editor.org/rfc/rfc5802). Whoever sets up a role by hand gets this
 * rather than the password. The salt follows from the password, so that setting it again changes nothing.
 */
export function scramVerifier(password: string): string {
  const salt = createHash('sha256').update(`salt\0${password}`).digest().subarray(0, 16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}
