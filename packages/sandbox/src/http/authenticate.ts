import type { IncomingMessage } from 'node:http'
import { noKey, wrongKey } from './errors.ts'

function keyOf(header: string | undefined): string | undefined {
  if (!header) return undefined
  const [scheme, value = ''] = header.split(' ')
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString('utf8').split(':')[0]
  return undefined
}

export function authenticate(request: IncomingMessage, secretKey: string): void {
  const key = keyOf(request.headers.authorization)
  if (!key) throw noKey()
  if (key !== secretKey) throw wrongKey(key)
}
