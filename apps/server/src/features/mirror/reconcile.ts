import { inTransaction, type RequestContext } from '../../context.ts'
import type { ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../integrations/stripe/pages.ts'
import { toDelivery } from '../../integrations/stripe/webhook-signature.ts'
import { applyObject, enqueueApply, keyOf } from './apply.ts'
import { connectedStripe } from './connection.ts'
import { requestImport } from './import.ts'
import { keepDead } from './keep-dead.ts'
import { objectOfEvent } from './objects.ts'
import type { DriftRow } from './queries/drift.ts'
import { findKnownEvents, findStuckObjects, insertEvent, type NewEvent, type ObjectRef } from './queries/events.ts'
import { findNewestImport } from './queries/imports.ts'
import { findEventProgress, upsertEventProgress } from './queries/settings.ts'
import { type Findings, withReport } from './report.ts'

const dayMs = 86_400_000
const overlapMs = 5 * 60_000
/** The provider lists the events of 30 days. */
export const maxGapMs = 29 * dayMs
/** A delivery may take this long without being missed. */
const deliveryMs = 2 * 60_000
const maxPages = 1000
const maxStuck = 500

/**
 * Looks through the provider's events since the last look for those that were never delivered, and applies them. After a
 * gap longer than the provider remembers, everything is imported again.
 */
export async function reconcileEvents(ctx: RequestContext, signal: AbortSignal): Promise<void> {
  const progress = await findEventProgress(ctx.db)
  const now = ctx.clock()
  if (!progress?.lookedAt || now - Date.parse(progress.lookedAt) > maxGapMs) {
    if (progress?.lookedAt || (await mayImportFirst(ctx))) await requestImport(ctx, progress ? 'gap' : 'first')
    return
  }
  const { lookedAt, newestEventAt } = progress
  await withReport(ctx, 'events', async (findings) => {
    const stripe = await connectedStripe(ctx, 'bulk')
    const from = new Date(Date.parse(newestEventAt ?? lookedAt) - overlapMs)
    const { events, newest } = await findMissed(ctx, stripe, from, findings)
    await applyMissed(ctx, events, findings, signal)
    const seen = Math.max(newest?.getTime() ?? 0, newestEventAt === null ? 0 : Date.parse(newestEventAt))
    await upsertEventProgress(
      ctx.db,
      { newestEventAt: seen === 0 ? null : new Date(seen).toISOString(), lookedAt: new Date(now).toISOString() },
      new Date(now),
    )
  })
  await wakeStuck(ctx)
}

/** One that was given up for good waits for somebody to start it again. */
async function mayImportFirst({ db }: RequestContext): Promise<boolean> {
  const newest = await findNewestImport(db)
  return newest === undefined || (newest.finished_at !== null && newest.state !== 'failed')
}

type Missed = { events: NewEvent[]; newest: Date | null }

/** null: no event, or one that is a dead letter now. */
async function toEvent(ctx: RequestContext, object: ProviderObject): Promise<NewEvent | null> {
  const receivedAt = new Date(ctx.clock())
  const event = toDelivery(object)
  if (!event) return null
  if ('reason' in event) {
    await keepDead(ctx, event, { origin: 'reconcile', receivedAt })
    return null
  }
  const { id, type, createdAt, apiVersion, payload } = event
  return { id, type, createdAt, apiVersion, payload, object: objectOfEvent(payload), origin: 'reconcile', receivedAt }
}

async function findMissed(
  ctx: RequestContext,
  stripe: StripeGateway,
  createdFrom: Date,
  findings: Findings,
): Promise<Missed> {
  const events: NewEvent[] = []
  let newest: Date | null = null
  const load = (startingAfter: string | undefined) =>
    stripe.listEvents({ createdFrom, ...(startingAfter && { startingAfter }) })
  for await (const page of pagesOf(load, { what: 'events', most: maxPages })) {
    const read = await Promise.all(page.objects.map((object) => toEvent(ctx, object)))
    const listed = read.filter((event) => event !== null)
    newest ??= listed[0]?.createdAt ?? null
    findings.checked += listed.length
    const ids = listed.map((event) => event.id)
    const known = await findKnownEvents(ctx.db, ids)
    events.push(...listed.filter((event) => !known.has(event.id)))
  }
  return { events, newest }
}

/** Each object once, however many of its events were missed. */
async function applyMissed(
  ctx: RequestContext,
  events: readonly NewEvent[],
  findings: Findings,
  signal: AbortSignal,
): Promise<void> {
  const byObject = new Map<string, { object: ObjectRef; events: NewEvent[] }>()
  await inTransaction(ctx, async (tx) => {
    // Oldest first, as they would have come.
    for (const event of events.toReversed()) {
      if (!(await insertEvent(tx.db, event)) || !event.object) continue
      const key = keyOf(event.object)
      const group = byObject.get(key) ?? { object: event.object, events: [] }
      group.events.push(event)
      byObject.set(key, group)
    }
  })
  for (const { object, events: missed } of byObject.values()) {
    signal.throwIfAborted()
    const repaired = await tryToApply(ctx, object)
    const row = toDriftRow(ctx, object, missed, repaired)
    if (row) await findings.tell([row])
  }
}

async function tryToApply(ctx: RequestContext, object: ObjectRef): Promise<boolean> {
  try {
    await applyObject(ctx, object, 'reconcile', 'bulk')
    return true
  } catch (error) {
    // The queue goes on trying, and tells when it gives up.
    ctx.log.warn({ err: error, ...object }, 'a missed change could not be applied yet')
    await enqueueApply(ctx, ctx, object)
    return false
  }
}

/** An event that is still on its way is not missed. */
function toDriftRow(
  ctx: RequestContext,
  object: ObjectRef,
  events: readonly NewEvent[],
  repaired: boolean,
): DriftRow | null {
  const late = events.filter((event) => ctx.clock() - event.createdAt.getTime() > deliveryMs)
  if (late.length === 0) return null
  const types = [...new Set(late.map((event) => event.type))].slice(0, 5).join(', ')
  const difference = `${late.length === 1 ? 'An event was' : `${late.length} events were`} not delivered: ${types}`
  return { object: object.kind, object_id: object.id, difference, repaired }
}

/** Events whose job was lost, or gave up while the provider was out, get another. */
export async function wakeStuck(ctx: RequestContext): Promise<void> {
  const before = new Date(ctx.clock() - deliveryMs)
  for (const object of await findStuckObjects(ctx.db, before, maxStuck)) await enqueueApply(ctx, ctx, object)
}
