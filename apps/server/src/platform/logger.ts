import { pino } from 'pino'

export type { Logger } from 'pino'

const secretPaths = [
  'key',
  'password',
  'token',
  'secret',
  '*.key',
  '*.password',
  '*.token',
  '*.secret',
  'headers.authorization',
  'headers["x-admin-key"]',
  'req.headers.authorization',
  'req.headers["x-admin-key"]',
]

/** Structured JSON on standard output; keys and tokens are removed by path. */
export function createLogger(level: string) {
  return pino({ level, base: null, redact: { paths: secretPaths, censor: '[removed]' } })
}
