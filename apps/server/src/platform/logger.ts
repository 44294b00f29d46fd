import { destination, pino } from 'pino'
import { within } from './within.ts'

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
const flushWithinMs = 600
/** What waits for a reader that does not read; then lines are lost, not memory. */
const longestWaiting = 8_000_000

/**
 * The same for a process that answers requests: lines are gathered, and written without holding up the event loop. `flush`
 * ends when all of them are written, or after 0.6 s: a pipe that nobody reads takes no more.
 */
export function createGatheringLogger(level: string) {
  const output = destination({ dest: 1, sync: false, minLength: 8192, maxLength: longestWaiting })
  setInterval(() => output.flush(), flushEveryMs).unref()
  let waiting = 0
  const flush = () =>
    within(
      flushWithinMs,
      new Promise<void>((resolve) => {
        waiting += 1
        output.flush(() => {
          waiting -= 1
          resolve()
        })
      }),
    )
  // Before the logger's own, which writes what is left: it tries a pipe that nobody reads without end.
  process.prependListener('exit', () => {
    if (waiting > 0) process.kill(process.pid, 'SIGKILL')
  })
  return { log: pino(options(level), output), flush }
}
