import type { AppContext } from '../../context.ts'
import { keepWritten } from '../../platform/keep-written.ts'
import { createMaintenance, mayRun } from '../../platform/maintenance.ts'
import { findPaused } from './queries/queues.ts'

/** What nobody may begin now. A restore goes on whatever is paused, and lets nothing else begin that would change the data. */
async function findHeld(ctx: AppContext): Promise<Set<string>> {
  const maintenance = ctx.instance(createMaintenance)
  await maintenance.look()
  const current = maintenance.current()
  if (current === null) return new Set(await findPaused(ctx.db))
  const queues = await ctx.jobs.findQueues()
  return new Set(queues.map(({ name }) => name).filter((name) => !mayRun(name, current)))
}

/** Lets this process begin no job of the queues that are paused, or that wait for a restore; each process has one. */
export function createPauseKeeper(ctx: AppContext) {
  const kept = keepWritten(ctx, {
    what: 'the paused queues',
    topics: ['queues', 'backups'],
    gatherMs: 0,
    // Should the news of a pause be lost.
    everyMs: 60_000,
    write: async () => ctx.jobs.hold(await findHeld(ctx)),
  })
  return {
    /** Before any job is begun. */
    async start(): Promise<void> {
      kept.start()
      await kept.now()
    },
    stop: kept.stop,
  }
}
