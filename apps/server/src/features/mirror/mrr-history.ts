import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { fields, idOf, items } from '../../integrations/stripe/fields.ts'
import { type PaidMrr, paidMrr } from '../../integrations/stripe/paid-mrr.ts'
import { toldMrr } from '../../integrations/stripe/told-mrr.ts'
import { findCustomerDiscounts, findPricesRaw } from './queries/mrr.ts'
import {
  findPayloads,
  findReconstructible,
  insertTold,
  noteMrr,
  type Reconstructible,
  replaceReconstructed,
  type Told,
} from './queries/mrr-history.ts'
import { lockMirror } from './queries/upsert.ts'

type Tx = Pick<TransactionContext, 'db' | 'clock'>

/**
 * Adds what events say a subscription paid when they were made, whenever they come. Answers whether they said anything: then
 * `noteMrr` has to follow once the row is written.
 */
export async function noteTold({ db }: Tx, subscription: string, events: readonly string[]): Promise<boolean> {
  const payloads = await findPayloads(db, events)
  if (payloads.length === 0) return false
  await lockMirror(db)
  const customers = payloads.map(({ payload }) => idOf(fields(fields(fields(payload)['data'])['object'])['customer']))
  const discounted = await findCustomerDiscounts(
    db,
    customers.filter((id) => id !== null),
  )
  if (discounted.length > 0) return false
  const told: Told[] = payloads.flatMap(({ id, payload }) => {
    const mrr = toldMrr(fields(payload))
    return mrr === null ? [] : [{ event: id, mrr }]
  })
  if (told.length > 0) await insertTold(db, subscription, told)
  return told.length > 0
}

export { noteMrr }

const batchSize = 200

/**
 * What subscriptions paid before anything exact is known of them, from their paid invoices. Answers how many of them were
 * looked at.
 */
export async function reconstructMrr(ctx: RequestContext, signal: AbortSignal): Promise<number> {
  let after = ''
  let looked = 0
  for (;;) {
    signal.throwIfAborted()
    const found = await inTransaction(ctx, async (tx) => {
      await lockMirror(tx.db)
      const page = await findReconstructible(tx.db, after, batchSize)
      const prices = await pricesOf(tx, page)
      const changes = page.flatMap((one) =>
        withoutRounding(paidMrr(one.invoices, prices), one.mrr_running).map((paid) => ({
          ...paid,
          subscription: one.id,
        })),
      )
      await replaceReconstructed(tx.db, changes, new Date(tx.clock()))
      return page
    })
    looked += found.length
    const last = found.at(-1)
    if (last === undefined || found.length < batchSize) return looked
    after = last.id
  }
}

async function pricesOf({ db }: Tx, found: readonly Reconstructible[]) {
  const ids = found.flatMap(({ invoices }) =>
    invoices.flatMap((invoice) =>
      items(invoice['lines']).map((line) => idOf(fields(fields(line['pricing'])['price_details'])['price'])),
    ),
  )
  const prices = await findPricesRaw(db, [...new Set(ids.filter((id) => id !== null))])
  return new Map(prices.map(({ id, raw }) => [id, raw]))
}

/** Invoices are in whole minor units: the last one is no change of what is running since. */
function withoutRounding(paid: readonly PaidMrr[], running: string): PaidMrr[] {
  return paid.map((one, index) =>
    index === paid.length - 1 && Math.abs(Number(one.mrr) - Number(running)) < 1 ? { ...one, mrr: running } : one,
  )
}
