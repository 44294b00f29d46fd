import type { Reach } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { fields } from '../../../integrations/stripe/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import { amountToRefund } from '../money-actions/refund-rules.ts'
import { findClaims, findLastDone } from '../queries/money-actions.ts'
import {
  findSubscriptionsPaidBy,
  findSubscriptionTarget,
  getPayment,
  type LockedPayment,
} from '../queries/money-targets.ts'
import { compareSubscription } from './state.ts'

type Source = { db: AppContext['db']; clock: () => number }

/** What a refund takes; throws why it cannot be made. */
export async function foreseeAmount(
  { db, clock }: Source,
  id: string,
  payment: LockedPayment,
  asked: number | undefined,
): Promise<{ amount: number; currency: string }> {
  if (!payment) throw notFound(`Payment ${id}`)
  const amount = amountToRefund(asked, {
    payment,
    claims: await findClaims(db, id),
    lastDone: await findLastDone(db, 'refund', id),
    nowMs: clock(),
  })
  return { amount, currency: payment.currency }
}

/** The payment, and the subscriptions that it paid for: they go on. `amount` null: nothing is refunded. */
export async function reachOfRefund({ db, clock }: Source, id: string, amount: number | null): Promise<Reach> {
  const { status, refunded_amount, refundable_amount, currency, amount: paid } = await getPayment(db, id)
  const before = { status, refunded_amount, refundable_amount }
  const taken = amount ?? 0
  const refunded = refunded_amount === null ? null : refunded_amount + taken
  const after = {
    status: taken > 0 && refunded !== null && refunded >= paid ? ('refunded' as const) : status,
    refunded_amount: refunded,
    refundable_amount: refundable_amount === null ? null : refundable_amount - taken,
  }
  const at = new Date(clock()).toISOString()
  const subscriptions = []
  for (const subscription of await findSubscriptionsPaidBy(db, id)) {
    const target = await findSubscriptionTarget(db, subscription)
    const raw = fields(target?.raw)
    subscriptions.push(await compareSubscription(db, subscription, [raw, raw], clock()))
  }
  return {
    action: 'refund',
    refusal: null,
    is_so_already: false,
    subscriptions,
    payment: { id, amount: paid, currency, before, after },
    mrr: mrrOf(subscriptions).map(([of, mrr]) => ({ currency: of, before: mrr, after: mrr, at })),
    invoices: [],
    undo: null,
  }
}

function mrrOf(subscriptions: Reach['subscriptions']): [currency: string, mrr: number | null][] {
  const sums = new Map<string, number | null>()
  for (const { currency, before } of subscriptions) {
    const sum = sums.get(currency)
    sums.set(currency, sum === null || before.mrr === null ? null : (sum ?? 0) + before.mrr)
  }
  return [...sums]
}
