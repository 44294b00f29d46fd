import type { RequestContext } from '../../../context.ts'
import { findZones } from '../../domains/index.ts'
import { rollUpJob } from '../jobs.ts'
import { findStates } from '../queries/zones.ts'
import { needsDays } from '../refresh/refresh-all.ts'
import { findWanted } from '../refresh/refresh-samples.ts'

/** When all domains were read last, the oldest of them; null where one never was. */
export type KeptDays = { isConnected: boolean; readAt: number | null }

/** Has what is kept of all domains read again behind the back of whoever asks, and tells how old it is. */
export async function keepDays(ctx: RequestContext): Promise<KeptDays> {
  if (!ctx.cloudflare) return { isConnected: false, readAt: null }
  const ids = (await findZones(ctx)).map(({ id }) => id)
  const now = ctx.clock()
  const [states, unsampled] = await Promise.all([findStates(ctx.db, ids), findWanted(ctx, ids)])
  const all = [...states.values()]
  if (unsampled.size > 0 || all.some((state) => needsDays(state, now))) await ctx.jobs.enqueue(ctx, rollUpJob, {})
  const ages = all.flatMap(({ daysAt }) => daysAt ?? [])
  return { isConnected: true, readAt: ages.length === 0 ? null : Math.min(...ages) }
}
