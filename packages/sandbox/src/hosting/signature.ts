import { createHmac, timingSafeEqual } from 'node:crypto'

const windowS = 300

export const signatureOf = (secret: string, timestamp: string, body: string) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex')}`

/** Whether a call that says that it is signed really is, and was signed just now. */
export function isSigned(secret: string, headers: { timestamp: string; signature: string }, body: string, now: number) {
  const expected = Buffer.from(signatureOf(secret, headers.timestamp, body))
  const given = Buffer.from(headers.signature)
  if (Math.abs(now / 1000 - Number(headers.timestamp)) > windowS) return false
  return expected.length === given.length && timingSafeEqual(expected, given)
}
