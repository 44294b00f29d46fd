import type { TransactionContext } from '../../context.ts'
import { fields } from '../../integrations/stripe/fields.ts'
import type { ObjectKind, ProviderObject } from '../../integrations/stripe/gateway.ts'
import { discountOf } from '../../integrations/stripe/mapping/customer.ts'
import { isIntentId } from '../../integrations/stripe/requests.ts'
import { withoutErased } from '../customer-states/index.ts'
import { notifyUnreadable } from '../notifications/index.ts'
import { mrrCircumstances, recomputeMrr } from './mrr-circumstances.ts'
import {
  findCouponsRaw,
  findCustomerDiscounts,
  findDependents,
  findPricesRaw,
  findSubscriptionsOf,
} from './queries/mrr.ts'
import { insertTombstone } from './queries/tombstones.ts'
import { deleteUnreadable, upsertUnreadable } from './queries/unreadable.ts'
import { type Fetch, lockMirror, upsertRows } from './queries/upsert.ts'
import { type Circumstances, toRows, type Unreadable } from './rows.ts'

type Tx = Pick<TransactionContext, 'db' | 'clock' | 'jobs'>

const noCircumstances: Circumstances = {
  inputsFor: () => ({ prices: new Map(), coupons: new Map() }),
  nowS: 0,
}

// Payments before charges and so on: the order of the tables is the same for every writer.
const writeOrder: readonly ObjectKind[] = ['payment', 'charge']

/**
 * Writes objects as the gateway answered them, in the transaction of the caller, who holds the mirror's lock to its end.
 * Rows of a newer fetch and deleted rows stay as they are, and so does the row of an object that cannot be read; health and
 * the bell tell of it. Answers how many rows were written.
 */
export async function writeObjects(
  tx: Tx,
  kind: ObjectKind,
  fetched: readonly ProviderObject[],
  fetch: Fetch,
): Promise<number> {
  await lockMirror(tx.db)
  const objects = await withoutErased(tx, kind, fetched)
  const affected = await findAffected(tx, kind, objects)
  const circumstances = kind === 'subscription' ? await mrrCircumstances(tx.db, objects, tx.clock()) : noCircumstances
  const unreadable: Unreadable[] = []
  const rows = toRows(kind, objects, circumstances, unreadable)
  let written = 0
  for (const rowKind of writeOrder.includes(kind) ? writeOrder : [kind]) {
    written += await upsertRows(tx.db, rowKind, rows[rowKind] ?? [], fetch)
  }
  await keepUnreadable(tx, kind, objects, unreadable)
  const dependents = await affected()
  if (dependents.length > 0) await recomputeMrr(tx.db, dependents, tx.clock())
  return written
}

/** Stores the object that an own call to the provider returned. Answers whether it is what the mirror shows now. */
export async function recordObject(
  tx: Tx,
  kind: ObjectKind,
  object: ProviderObject,
  fetchSeq: number,
): Promise<boolean> {
  const fetch: Fetch = { fetchSeq, fetchedAt: new Date(tx.clock()), source: 'action' }
  return (await writeObjects(tx, kind, [object], fetch)) > 0
}

/** The object does not exist any more at the provider. */
export async function buryObject(tx: Tx, kind: ObjectKind, id: string): Promise<void> {
  await lockMirror(tx.db)
  const at = new Date(tx.clock())
  await insertTombstone(tx.db, kind, id, at)
  // A charge without an intent has a row in both tables.
  if (kind === 'charge') await insertTombstone(tx.db, 'payment', id, at)
  if (kind === 'payment' && !isIntentId(id)) await insertTombstone(tx.db, 'charge', id, at)
}

const nothing = async (): Promise<string[]> => []

/** Which subscriptions have to be computed again once these objects are written; asked before and answered after. */
async function findAffected(
  { db }: Tx,
  kind: ObjectKind,
  objects: readonly ProviderObject[],
): Promise<() => Promise<string[]>> {
  const ids = objects.map((object) => object.id)
  if (kind === 'customer') {
    const before = await findCustomerDiscounts(db, ids)
    const now = objects.filter((object) => discountOf(object) !== null).map((object) => object.id)
    const customers = [...new Set([...before.map((customer) => customer.id), ...now])]
    return () => findSubscriptionsOf(db, customers)
  }
  if (kind !== 'price' && kind !== 'coupon') return nothing
  const priced = kind === 'price' ? objects.filter((object) => object['billing_scheme'] === 'tiered') : objects
  const wanted = priced.map((object) => object.id)
  const old = await (kind === 'price' ? findPricesRaw(db, wanted) : findCouponsRaw(db, wanted))
  const before = new Map(old.map(({ id, raw }) => [id, rulesOf(raw)]))
  const changed = priced.filter((object) => before.get(object.id) !== rulesOf(object)).map((object) => object.id)
  return () => findDependents(db, changed)
}

/** What of a price or coupon an MRR depends on; the number of redemptions, for one, does not count. */
function rulesOf(object: ProviderObject): string {
  const { tiers, tiers_mode, percent_off, amount_off, currency, duration } = object
  const products = fields(object['applies_to'])['products']
  return JSON.stringify([tiers, tiers_mode, percent_off, amount_off, currency, duration, products])
}

/** Writes down which of these objects could not be read and what they lack, and forgets those that could. */
async function keepUnreadable(
  tx: Pick<TransactionContext, 'db' | 'clock' | 'jobs'>,
  kind: ObjectKind,
  objects: readonly ProviderObject[],
  unreadable: readonly Unreadable[],
): Promise<void> {
  const lacking = new Set(unreadable.map(({ id }) => id))
  const readable = objects.map(({ id }) => id).filter((id) => !lacking.has(id))
  await deleteUnreadable(tx.db, kind, readable)
  const [first] = unreadable
  if (!first) return
  await upsertUnreadable(tx.db, kind, unreadable, new Date(tx.clock()))
  await notifyUnreadable(tx, { kind, ...first })
}
