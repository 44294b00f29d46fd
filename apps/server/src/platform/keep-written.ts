import type { Changes, ChangeTopic } from './changes.ts'
import type { Logger } from './logger.ts'

export type Kept = {
  /** What is kept, as the log names it when that fails. */
  what: string
  topics: readonly ChangeTopic[]
  /** So long after a change, so that one writing answers many. */
  gatherMs: number
  /** Where time alone changes what is written. */
  everyMs?: number
  write(): Promise<void>
}

/** Writes a moment after one of the topics changed, never twice at once; a failure is told once, until a writing succeeds. */
export function keepWritten(
  { changes, log }: { changes: Changes; log: Pick<Logger, 'warn'> },
  { what, topics, gatherMs, everyMs, write }: Kept,
) {
  let timer: NodeJS.Timeout | undefined
  let interval: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined
  let writing = Promise.resolve()
  let isToldBroken = false

  async function writeOnce(): Promise<void> {
    try {
      await write()
      isToldBroken = false
    } catch (error) {
      if (!isToldBroken) log.warn({ err: error }, `${what} could not be written`)
      isToldBroken = true
    }
  }

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void now()
    }, gatherMs)
    timer.unref()
  }

  /** Resolves when what is written is as it is now. */
  function now(): Promise<void> {
    writing = writing.then(writeOnce)
    return writing
  }

  return {
    now,
    plan,
    start(): void {
      leave = changes.subscribe((changed) => {
        if (topics.some((topic) => changed.has(topic))) plan()
      })
      if (everyMs !== undefined) interval = setInterval(plan, everyMs).unref()
    },
    /** Resolves when no writing is under way any more. */
    async stop(): Promise<void> {
      leave?.()
      clearInterval(interval)
      clearTimeout(timer)
      timer = undefined
      await writing
    },
  }
}
