import { type AppContext, inTransaction } from '../../context.ts'
import { extendHeartbeats, markMissing, noteListening } from './queries/heartbeats.ts'
import { findOutage } from './queries/outage.ts'
import { findStale, saveSince, setAside, setDue } from './queries/states.ts'
import type { ApplyProbe } from './service/apply.ts'

/** What was measured too long ago is not known any more. */
async function forgetStale(ctx: AppContext, apply: ApplyProbe): Promise<void> {
  const stale = await findStale(ctx, new Date(ctx.clock()))
  if (stale.length === 0) return
  const outage = await findOutage(ctx)
  const detail = outage ? `No recent check. ${outage.detail}` : 'No recent check'
  for (const { id, checkedAt, health, knownUntil } of stale) {
    await inTransaction(ctx, async (tx) => {
      await saveSince(tx, id, knownUntil)
      await apply(tx, id, {
        at: checkedAt,
        health: 'unknown',
        before: health,
        detail,
        responseMs: null,
        ssl: null,
        score: null,
      })
    })
  }
}

/** So long without a sign, no process could have heard a call. */
const deafAfterMs = 150_000

/** Says that calls are heard. After a time when none could be, none is missing yet. */
export async function listen(ctx: AppContext): Promise<void> {
  const now = ctx.clock()
  const before = await noteListening(ctx, new Date(now))
  if (before !== null && now - before.getTime() > deafAfterMs) await extendHeartbeats(ctx, new Date(now))
}

/** What no look does: sites that are not looked at are never due, and what is too old is unknown. */
export async function sweep(ctx: AppContext, apply: ApplyProbe): Promise<void> {
  const now = new Date(ctx.clock())
  await listen(ctx)
  for (const siteId of await markMissing(ctx, now)) await setDue(ctx, siteId, now)
  await setAside(ctx, now)
  await forgetStale(ctx, apply)
}
