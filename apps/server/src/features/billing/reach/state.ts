import type { Reach } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import type { Fields } from '../../../integrations/stripe/fields.ts'
import { fields, instant } from '../../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { type SubscriptionRow, toSubscription } from '../../../integrations/stripe/mapping/subscription.ts'
import { parseDecimal, roundHalfEven, zero } from '../../../integrations/stripe/rational.ts'
import { mrrCircumstances } from '../../mirror/index.ts'
import { findReachNames } from '../queries/money-targets.ts'

type ReachedSubscription = Reach['subscriptions'][number]
type State = ReachedSubscription['before']

/** As the wire has it: whole seconds. */
const wire = (at: string | null): string | null => at?.replace('.000Z', 'Z') ?? null

function stateOf(row: SubscriptionRow, object: Fields, products: Map<string, string>): State {
  const product = row.product_id === null ? undefined : products.get(row.product_id)
  return {
    status: row.status as State['status'],
    plan_id: row.price_id,
    plan_name: product || (row.plan_nickname ?? row.price_id ?? 'Unknown plan'),
    amount: row.amount,
    interval: row.interval,
    interval_count: row.interval_count,
    mrr: row.mrr_known ? Number(roundHalfEven(parseDecimal(row.mrr) ?? zero)) : null,
    current_period_end: wire(row.current_period_end),
    cancel_at: wire(row.cancel_at),
    cancel_at_period_end: row.cancel_at_period_end,
    pause_collection: row.pause_collection,
    pause_resumes_at: wire(instant(fields(object['pause_collection'])['resumes_at'])),
  }
}

/** A subscription before and after, both read as the mirror would read them. */
export async function compareSubscription(
  db: AppContext['db'],
  id: string,
  [before, after]: readonly [Fields, Fields],
  nowMs: number,
): Promise<ReachedSubscription> {
  const objects = [before, after] as unknown as [ProviderObject, ProviderObject]
  const { inputsFor, nowS } = await mrrCircumstances(db, objects, nowMs)
  const [from, to] = objects.map((object) => toSubscription(object, inputsFor(object), nowS)) as [
    SubscriptionRow,
    SubscriptionRow,
  ]
  const ids = [from.product_id, to.product_id].filter((product) => product !== null)
  const names = await findReachNames(db, ids, from.customer_id)
  return {
    id,
    customer_name: names.customer,
    currency: from.currency,
    before: stateOf(from, before, names.products),
    after: stateOf(to, after, names.products),
  }
}
