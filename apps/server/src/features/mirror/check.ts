import { type AppContext, asSystem, inTransaction, type RequestContext } from '../../context.ts'
import { connectedStripe } from './connection.ts'
import { isWebhookConfigured } from './endpoint.ts'
import { requestImport } from './import.ts'
import { checkJob, connectJob, importJob } from './job-settings.ts'
import { recomputeDueMrr } from './mrr-circumstances.ts'
import { deleteOldReports } from './queries/drift.ts'
import { deleteOldEvents } from './queries/events.ts'
import { findNewestImport } from './queries/imports.ts'
import { lockMirror } from './queries/upsert.ts'
import { reconcileEvents, wakeStuck } from './reconcile.ts'

const dayMs = 86_400_000

/** Begins or goes on with the first import, and lets the provider deliver to this address. Asks the provider nothing yet. */
export async function startMirror(ctx: AppContext, address: string): Promise<void> {
  if (!ctx.stripe) return
  const system = asSystem(ctx, 'job', 'mirror')
  await ensureImport(system)
  await ctx.jobs.enqueue(ctx, connectJob, { address: ctx.config.publicUrl ?? address })
  await ctx.jobs.enqueue(ctx, checkJob, {})
}

async function ensureImport(ctx: RequestContext): Promise<void> {
  const newest = await findNewestImport(ctx.db)
  if (!newest) await requestImport(ctx, 'first')
  else if (newest.finished_at === null) await ctx.jobs.enqueue(ctx, importJob, {})
}

/** Every minute: is the provider there? Where nothing is delivered, its events are asked for instead. */
export async function checkProvider(ctx: RequestContext, signal: AbortSignal): Promise<void> {
  if (!ctx.stripe) return
  const stripe = await connectedStripe(ctx, 'job')
  await ensureImport(ctx)
  if (await isWebhookConfigured(ctx)) await stripe.ping()
  else await reconcileEvents(ctx, signal)
  await wakeStuck(ctx)
}

export async function recomputeMrrDue(ctx: RequestContext): Promise<void> {
  for (;;) {
    const done = await inTransaction(ctx, async (tx) => {
      await lockMirror(tx.db)
      return recomputeDueMrr(tx.db, tx.clock())
    })
    if (done === 0) return
  }
}

export async function tidyMirror(ctx: RequestContext): Promise<void> {
  const now = ctx.clock()
  await deleteOldEvents(ctx.db, new Date(now - ctx.config.settings.eventDays * dayMs))
  await deleteOldReports(ctx.db, { quiet: new Date(now - 2 * dayMs), all: new Date(now - 180 * dayMs) })
}
