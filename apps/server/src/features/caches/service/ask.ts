import type { CacheProcess } from '@agency/contract/caches'
import type { AppContext } from '../../../context.ts'
import { createCacheKeeper, unseenMs } from '../keeper.ts'
import { findReplies, type Reply } from '../queries/commands.ts'
import { findProcesses } from '../queries/processes.ts'

/** A process that is well answers in a few milliseconds. */
const patienceMs = 2000
const lookEveryMs = 250

export type Replies = { replies: Reply[]; processes: CacheProcess[]; silent: CacheProcess[] }

/** Waits until every process has answered, and tells who did not. */
export async function gather(ctx: AppContext, commandId: string): Promise<Replies> {
  const keeper = ctx.instance(createCacheKeeper)
  await keeper.answerNow()
  const processes = await findProcesses(ctx.db, new Date(ctx.clock() - unseenMs))
  const until = performance.now() + patienceMs
  for (;;) {
    const replies = await findReplies(ctx.db, commandId)
    const heard = new Set(replies.map(({ process }) => process))
    const silent = processes.filter(({ id }) => !heard.has(id))
    if (silent.length === 0 || performance.now() >= until) return { replies, processes, silent }
    await nextChange(ctx)
  }
}

/** News of an answer, or a while without any. */
function nextChange({ changes }: AppContext): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      leave()
      resolve()
    }
    const timer = setTimeout(done, lookEveryMs)
    const leave = changes.subscribe((topics) => {
      if (topics.has('caches')) done()
    })
  })
}
