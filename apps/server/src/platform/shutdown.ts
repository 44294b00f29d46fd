import type { Logger } from './logger.ts'
import { within } from './within.ts'

/** What works beside the requests from its start to its stop. */
type Part = { start(): unknown; stop(): unknown }

export type Stops = {
  /**
   * Registers how to stop what was started just now. The last that was started is the first to stop. After `patienceMs` it is
   * left behind, so that an end takes no longer than whoever asked for it waits. One with endless patience is told how long
   * it may take.
   */
  add(name: string, stop: (leftMs: number) => unknown, patienceMs?: number): void
  /** Starts a part and registers how to stop it. */
  start(name: string, part: Part): Promise<void>
  /** Once for all who ask: none of them may end the process while something is still being stopped. */
  stopAll(): Promise<void>
  isStopping(): boolean
}

const defaultPatienceMs = 700
/** For all parts together, but for those that must be waited for. */
const wholePatienceMs = 2000
/** For everything: what must be waited for has the rest of it, and a little in any case. */
const endMs = 2800
const leastMs = 600

/** Remembers how everything that was started is stopped again. One part that fails to stop does not keep the others. */
export function createStops(log: () => Logger | undefined): Stops {
  const stops: { name: string; stop: (leftMs: number) => unknown; patienceMs: number }[] = []
  let stopping: Promise<void> | undefined

  async function stopEach(): Promise<void> {
    const startedAt = performance.now()
    const left = (wholeMs: number, least: number) => Math.max(least, startedAt + wholeMs - performance.now())
    for (let next = stops.pop(); next; next = stops.pop()) {
      try {
        const isAwaited = next.patienceMs === Number.POSITIVE_INFINITY
        const stopped = Promise.resolve(next.stop(left(endMs, leastMs)))
        await (isAwaited ? stopped : within(Math.min(next.patienceMs, left(wholePatienceMs, 0)), stopped))
      } catch (error) {
        log()?.warn({ err: error, part: next.name }, 'could not stop cleanly')
      }
    }
  }

  const add: Stops['add'] = (name, stop, patienceMs = defaultPatienceMs) => stops.push({ name, stop, patienceMs })
  return {
    add,
    async start(name, part) {
      const starting = part.start()
      // What has started at once is registered at once, so that no end comes in between.
      if (starting instanceof Promise) await starting
      add(name, part.stop)
    },
    stopAll: () => (stopping ??= stopEach()),
    isStopping: () => stopping !== undefined,
  }
}

// A terminal sends Ctrl-C to the whole group and npm sends it on: the same wish arrives more than once.
const sameWishMs = 2000

/** Ends cleanly on SIGTERM and SIGINT, at once on a second one that is meant. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let askedAt: number | undefined
  const handle = (): void => {
    const now = performance.now()
    if (askedAt !== undefined) {
      if (now - askedAt > sameWishMs) process.exit(1)
      return
    }
    askedAt = now
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}

/** By it the keeper knows that the console is to be started again. */
export const faultStatus = 70

/**
 * What nobody caught leaves the process in a state that nobody knows: it is logged and the process ends in order, with a
 * status by which its keeper starts it again.
 */
export function endOnFault(log: () => Logger | undefined, stop: () => Promise<void>): void {
  let isEnding = false
  process.on('uncaughtException', (error, origin) => {
    log()?.fatal({ err: error, origin }, 'the console ends because of a fault that nobody caught')
    if (!log()) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    if (isEnding) return
    isEnding = true
    void stop().finally(() => process.exit(faultStatus))
  })
}

const lookForKeeperMs = 500

/** A console whose keeper was killed ends, too: nobody else would know of it, and it holds the data folder. */
export function endWithKeeper(keeper: number | undefined, stop: () => Promise<void>): void {
  if (keeper === undefined) return
  const look = setInterval(() => {
    if (process.ppid === keeper) return
    clearInterval(look)
    void stop().finally(() => process.exit(0))
  }, lookForKeeperMs)
  look.unref()
}

/** One line that says why the start failed. */
export function startFailure(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const { address, port } = error as Error & { address?: string; port?: number }
    return `PORT ${port} on ${address} is in use: stop the program that uses it, or set PORT to another number`
  }
  if (error instanceof Error && 'code' in error && error.code === 'EACCES' && 'syscall' in error) {
    if (error.syscall === 'listen') return 'PORT must be one that this account may listen on, such as 3000'
  }
  const first = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? first.message : String(first)
  return message.replaceAll(/\s+/g, ' ').trim() || 'unknown reason'
}
