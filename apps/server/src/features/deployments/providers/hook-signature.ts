import { createHmac, timingSafeEqual } from 'node:crypto'

export const timestampHeader = 'x-deploy-timestamp'
export const signatureHeader = 'x-deploy-signature'

const windowS = 300

const signatureOf = (secret: string, timestamp: string, body: string | Buffer): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`

export function signedHeaders(secret: string, body: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  return { [timestampHeader]: timestamp, [signatureHeader]: signatureOf(secret, timestamp, body) }
}

type Signed = { timestamp: unknown; signature: unknown; body: Buffer }

/** Why a call is not taken, or null. */
export function whyRefused(secret: string, { timestamp, signature, body }: Signed, nowMs: number): string | null {
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return `${timestampHeader} is missing`
  if (typeof signature !== 'string') return `${signatureHeader} is missing`
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, timestamp, body))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'The signature is not ours'
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > windowS) return 'The call is too old'
  return null
}
