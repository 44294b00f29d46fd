import type { RequestContext } from '../../../context.ts'
import { findZones } from '../../domains/index.ts'
import { dayMs, floorTo } from '../period.ts'
import { deleteDaysBefore } from '../queries/days.ts'
import { deleteReadsBefore } from '../queries/reads.ts'
import { refreshAll } from '../refresh/refresh-all.ts'
import { refreshSamples } from '../refresh/refresh-samples.ts'
import { keptDays } from '../refresh/window.ts'
import { noteBandwidths } from './note-bandwidth.ts'

const readsKeptMs = 2 * dayMs

/** Keeps the days of every domain before Cloudflare forgets them, and forgets what is older than 25 months. */
export async function rollUp(ctx: RequestContext, deadline: number): Promise<void> {
  const { cloudflare } = ctx
  if (cloudflare) {
    const ids = (await findZones(ctx)).map(({ id }) => id)
    await refreshAll(ctx, cloudflare.in('bulk'), ids, deadline)
    await refreshSamples(ctx, cloudflare.in('bulk'), ids, deadline)
    await noteBandwidths(ctx)
  }
  const now = ctx.clock()
  await deleteDaysBefore(ctx.db, floorTo(now, dayMs) - keptDays * dayMs)
  await deleteReadsBefore(ctx.db, new Date(now - readsKeptMs))
}
