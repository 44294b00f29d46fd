import { inTransaction, type RequestContext } from '../../context.ts'
import { isForbidden } from '../../integrations/stripe/errors.ts'
import type { ListQuery, ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { EndlessList, manyOf, mostPagesOf, pagesOf } from '../../integrations/stripe/pages.ts'
import { withoutErased } from '../customer-states/index.ts'
import { completeObjects } from './complete.ts'
import { connectedStripe } from './connection.ts'
import { describeDifference } from './difference.ts'
import { mrrCircumstances } from './mrr-circumstances.ts'
import { isOptional } from './objects.ts'
import type { DriftRow } from './queries/drift.ts'
import { takeBackListed } from './queries/take-back.ts'
import { verifyTotals } from './queries/totals.ts'
import { type Fetch, nextFetchSeq } from './queries/upsert.ts'
import { findDifferent, findRecentlyTold, type Scope } from './queries/walk.ts'
import { type Findings, withReport } from './report.ts'
import { type Row, toRows } from './rows.ts'
import { verifyUnseen } from './unseen.ts'
import { writeObjects } from './writer.ts'

const dayMs = 86_400_000
/** Payments and what belongs to them change within this time: retries, refunds, disputes. */
const recentMs = 35 * dayMs
/** A change that was told this recently is on its way, not missed. */
const onItsWayMs = 2 * 60_000

type Part = { kind: ObjectKind; query: ListQuery; scope: Omit<Scope, 'before'> }

function partsOf(now: number): Part[] {
  const createdFrom = new Date(now - recentMs)
  const whole = (kind: ObjectKind): Part => ({ kind, query: {}, scope: {} })
  const recent = (kind: ObjectKind): Part => ({ kind, query: { createdFrom }, scope: { createdFrom } })
  return [
    ...(['product', 'price', 'coupon', 'promotion_code', 'payment_link', 'customer', 'subscription'] as const).map(
      whole,
    ),
    { kind: 'invoice', query: { status: 'draft' }, scope: { status: ['draft'] } },
    { kind: 'invoice', query: { status: 'open' }, scope: { status: ['open'] } },
    ...(
      ['payment', 'invoice_payment', 'charge', 'refund', 'dispute', 'checkout_session', 'balance_transaction'] as const
    ).map(recent),
  ]
}

/** Compares row by row with the provider, repairs what differs and tells it; then proves the totals. */
export function walk(ctx: RequestContext, signal: AbortSignal): Promise<void> {
  return withReport(ctx, 'walk', async (findings) => {
    const stripe = await connectedStripe(ctx, 'bulk')
    for (const part of partsOf(ctx.clock())) {
      try {
        await walkPart(ctx, stripe, part, findings, signal)
      } catch (error) {
        if (!isOptional(part.kind) || !isForbidden(error)) throw error
      }
    }
    await proveTotals(ctx, findings)
  })
}

async function walkPart(
  ctx: RequestContext,
  stripe: StripeGateway,
  { kind, query, scope }: Part,
  findings: Findings,
  signal: AbortSignal,
): Promise<void> {
  const before = await nextFetchSeq(ctx.db)
  const seen = new Set<string>()
  let fetch: Fetch | undefined
  const load = async (startingAfter: string | undefined) => {
    signal.throwIfAborted()
    fetch = { fetchSeq: await nextFetchSeq(ctx.db), fetchedAt: new Date(ctx.clock()), source: 'reconcile' }
    return stripe.listObjects(kind, { ...query, ...(startingAfter && { startingAfter }) })
  }
  try {
    for await (const page of pagesOf(load, { what: manyOf(kind), most: mostPagesOf(kind) })) {
      const complete = await completeObjects(ctx.db, stripe, kind, page.objects)
      const objects = await withoutErased(ctx, kind, complete)
      for (const object of objects) seen.add(object.id)
      findings.checked += objects.length
      if (fetch) await repair(ctx, kind, objects, fetch, findings)
    }
  } catch (error) {
    if (error instanceof EndlessList)
      await inTransaction(ctx, (tx) => takeBackListed(tx.db, kind, { since: before, source: 'reconcile' }))
    throw error
  }
  const onGone = ({ id }: { id: string }) =>
    findings.tell([{ object: kind, object_id: id, difference: 'Deleted at Stripe', repaired: true }])
  const onFailed = ({ id, reason }: { id: string; reason: string }) =>
    findings.tell([{ object: kind, object_id: id, difference: `Could not be compared: ${reason}`, repaired: false }])
  const isSeen = (id: string) => seen.has(id)
  findings.checked += await verifyUnseen(ctx, stripe, kind, { ...scope, before }, 'reconcile', signal, {
    isSeen,
    onGone,
    onFailed,
  })
}

/** Writes the objects of a page whose rows differ, and tells those that no event is about. */
async function repair(
  ctx: RequestContext,
  kind: ObjectKind,
  objects: readonly ProviderObject[],
  fetch: Fetch,
  findings: Findings,
): Promise<void> {
  const rows = toRows(kind, objects, await mrrCircumstances(ctx.db, objects, ctx.clock()))
  const different = new Map<string, DriftRow>()
  const stale = new Set<string>()
  for (const [rowKind, kindRows] of Object.entries(rows) as [ObjectKind, Row[]][]) {
    for (const difference of await findDifferent(ctx.db, rowKind, kindRows, fetch.fetchSeq)) {
      const { id } = difference
      stale.add(`${rowKind}:${id}`)
      const text = describeDifference(rowKind, difference)
      if (text) different.set(`${rowKind}:${id}`, { object: rowKind, object_id: id, difference: text, repaired: true })
    }
  }
  const toWrite = objects.filter((object) => isAmong(stale, kind, object))
  if (toWrite.length === 0) return
  const ids = [...different.values()].map((row) => row.object_id)
  const told = await findRecentlyTold(ctx.db, kind, ids, new Date(ctx.clock() - onItsWayMs))
  await inTransaction(ctx, async (tx) => {
    await writeObjects(tx, kind, toWrite, fetch)
  })
  await findings.tell([...different.values()].filter((row) => !told.has(row.object_id)))
}

/** The rows of a payment and of its latest charge are made from one object. */
function isAmong(stale: ReadonlySet<string>, kind: ObjectKind, object: ProviderObject): boolean {
  if (stale.has(`${kind}:${object.id}`)) return true
  if (kind === 'charge') return stale.has(`payment:${object.id}`)
  const latest = object['latest_charge'] as { id?: string } | null | undefined
  return kind === 'payment' && stale.has(`charge:${latest?.id}`)
}

/** Totals that differ from their rows are a defect of the console, not of the provider: told, and logged as an error. */
async function proveTotals(ctx: RequestContext, findings: Findings): Promise<void> {
  const wrong = await verifyTotals(ctx.db)
  if (wrong.length === 0) return
  ctx.log.error({ wrong: wrong.slice(0, 20) }, 'kept totals differ from their rows')
  await findings.tell(
    wrong.map(({ total, key, kept, computed }) => ({
      object: `total ${total}`,
      object_id: key,
      difference: `kept ${kept ?? 'nothing'}, the rows make ${computed ?? 'nothing'}`,
      repaired: false,
    })),
  )
}
