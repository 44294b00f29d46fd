import { destination, pino } from 'pino'

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

const options = (level: string) => ({
  level,
  base: null,
  redact: { paths: secretPaths, censor: '[removed]' },
})

/** Structured JSON on standard output; keys and tokens are removed by path. */
export function createLogger(level: string) {
  return pino(options(level))
}

const flushEveryMs = 250

/** The same for a process that answers requests: lines are gathered, and written without holding up the event loop. */
export function createGatheringLogger(level: string) {
  const output = destination({ dest: 1, sync: false, minLength: 8192 })
  setInterval(() => output.flush(), flushEveryMs).unref()
  process.on('exit', () => {
    try {
      output.flushSync()
    } catch {
      // Standard output is gone or was never opened.
    }
  })
  return pino(options(level), output)
}
