import type { AppContext } from '../../context.ts'
import { keepWritten } from '../../platform/keep-written.ts'
import { writeStatusPages } from './write-pages.ts'

/** Writes the pages of this process's data folder a moment after something changed, and once a minute. */
export function createStatusKeeper(ctx: AppContext) {
  const pages = keepWritten(ctx, {
    what: 'the status pages',
    topics: ['settings', 'sites', 'incidents', 'alerts', 'customers'],
    gatherMs: 2000,
    // Time alone changes a page: its bars, and what is known.
    everyMs: 60_000,
    write: () => writeStatusPages(ctx),
  })
  return {
    start(): void {
      pages.start()
      pages.plan()
    },
    stop: pages.stop,
  }
}
