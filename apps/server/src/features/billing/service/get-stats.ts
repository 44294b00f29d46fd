import type { Stats } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { findStats } from '../queries/stats.ts'
import { trendOf } from '../trend.ts'

const definitions = {
  revenue: (currency: string) =>
    `Captured less refunded less lost in disputes, in ${currency.toUpperCase()}, of payments created in the last 30 days, against the 30 days before`,
  subscriptions: 'Subscriptions past their trial and not ended: now, against the end of the day 30 days ago (UTC)',
  mrr: (currency: string) =>
    `What the running subscriptions pay a month in ${currency.toUpperCase()}: now, against those that ran at the end of the day 30 days ago (UTC), at today's prices`,
  customers: 'Customers created in the last 30 days, against the 30 days before',
  failed: 'Payments now in state failed, created in the last 30 days, against those of the 30 days before',
}

export async function getStats(ctx: RequestContext): Promise<Stats> {
  const now = new Date(ctx.clock())
  const record = await findStats(ctx.pool, now)
  const { currency } = record
  const home = record.by_currency.find((money) => money.currency === currency)
  return {
    currency,
    total_revenue: home?.total_revenue ?? 0,
    mrr: home?.mrr ?? 0,
    active_subscriptions: record.subscriptions.active,
    trialing_subscriptions: record.subscriptions.trialing,
    past_due_subscriptions: record.subscriptions.past_due,
    unpriced_subscriptions: record.subscriptions.unpriced,
    active_customers: record.customers.live,
    total_customers: record.customers.total,
    failed_payments: record.failed.current,
    by_currency: record.by_currency,
    counts: { subscriptions: record.subscriptions.total, payments: record.payments, plans: record.plans },
    trends: {
      revenue: trendOf(record.revenue, definitions.revenue(currency)),
      subscriptions: trendOf(record.running, definitions.subscriptions),
      customers: trendOf(record.created, definitions.customers),
      mrr: trendOf(record.running_mrr, definitions.mrr(currency)),
      failed_payments: trendOf(record.failed, definitions.failed),
    },
    as_of: record.as_of,
  }
}
