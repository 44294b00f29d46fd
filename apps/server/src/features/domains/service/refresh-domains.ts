import type { RequestContext } from '../../../context.ts'
import { settingsJob } from '../jobs.ts'
import { findListState } from '../queries/list-state.ts'
import { getGateway } from './connection.ts'
import { type CacheState, cacheState, firstTime } from './list-domains.ts'
import { refreshList } from './refresh.ts'

/** A failure is told to whoever asked; what was known before stays. */
export async function refreshDomains(ctx: RequestContext): Promise<CacheState> {
  const gateway = getGateway(ctx)
  if (await refreshList(ctx, gateway)) await ctx.jobs.enqueue(ctx, settingsJob, {})
  const state = cacheState(await findListState(ctx, gateway.connection), ctx.clock())
  if (!state) throw firstTime()
  return state
}
