import { createHmac } from 'node:crypto'

/** One `v1` for each secret that is valid: during a roll the old one signs too. */
export function signature(secrets: string[], timestamp: number, payload: string): string {
  const signed = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.${payload}`, 'utf8').digest('hex')}`,
  )
  return [`t=${timestamp}`, ...signed].join(',')
}
