import type { AppContext } from '../../context.ts'
import type { ChangeTopic } from '../../platform/changes.ts'
import { writeStatusPages } from './write-pages.ts'

const gatherMs = 2000
/** Time alone changes a page: its bars, and what is known. */
const everyMs = 60_000

const topics: readonly ChangeTopic[] = ['settings', 'sites', 'incidents', 'alerts', 'customers']

/** Writes the pages of this process's data folder a moment after something changed, and once a minute. */
export function createStatusKeeper(ctx: AppContext) {
  let timer: NodeJS.Timeout | undefined
  let interval: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined
  let writing = Promise.resolve()
  let isToldBroken = false

  async function keep(): Promise<void> {
    try {
      await writeStatusPages(ctx)
      isToldBroken = false
    } catch (error) {
      if (!isToldBroken) ctx.log.warn({ err: error }, 'the status pages could not be written')
      isToldBroken = true
    }
  }

  function write(): Promise<void> {
    writing = writing.then(keep)
    return writing
  }

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, gatherMs)
    timer.unref()
  }

  return {
    start(): void {
      leave = ctx.changes.subscribe((changed) => {
        if (topics.some((topic) => changed.has(topic))) plan()
      })
      interval = setInterval(plan, everyMs)
      interval.unref()
      plan()
    },
    async stop(): Promise<void> {
      leave?.()
      clearInterval(interval)
      clearTimeout(timer)
      timer = undefined
      await writing
    },
  }
}
