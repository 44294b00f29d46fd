import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const periodS = 30
/** A phone's clock may be one step off in either direction. */
const toleratedSteps = 1
const issuer = 'Agency Console'

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: periodS, digits: 6, algorithm: 'SHA1' })

/** What an authenticator app reads from the picture. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** The time step of a right code (RFC 6238), or null. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: toleratedSteps })
  return delta === null ? null : Math.floor(nowMs / 1000 / periodS) + delta
}

const codeCount = 10
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten codes of about 118 random bits, so that a fast hash of them is enough; in groups that can be read out. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () => {
    const chars = Array.from({ length: 24 }, () => letters[randomIndex(letters.length)]).join('')
    return (chars.match(/.{4}/g) ?? []).join('-')
  })
}

function randomIndex(below: number): number {
  for (;;) {
    const byte = randomBytes(1)[0] ?? 255
    if (byte < 256 - (256 % below)) return byte % below
  }
}

/** Nobody can guess from a fast hash what was as random as this. However it was typed, it is the same code. */
export const recoveryCodeHash = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest()

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code)
