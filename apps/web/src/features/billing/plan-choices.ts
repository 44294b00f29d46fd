import type { Plan, SubscriptionDetails } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { periodWords } from '../../lib/subscriptions.ts'

type Price = Plan['prices'][number]
type Item = SubscriptionDetails['items'][number]
type PlanChoices = { plan: string; prices: { id: string; label: string }[] }[]

/** `$149.00 / month`; a tiered price has no single amount. */
export function priceLabel({ amount, currency, interval, interval_count }: Price): string {
  const figure = amount === null ? 'Priced by tiers' : formatMoney(amount, currency)
  return `${figure} / ${periodWords({ interval, interval_count, billing_period: null }) ?? 'unknown period'}`
}

/** Prices that an item may be moved to: offered, recurring, of its currency, and not its own. */
export function planChoices(plans: readonly Plan[], item: Item, others: readonly Item[]): PlanChoices {
  const taken = new Set(others.map(({ price_id }) => price_id))
  const fits = ({ id, active, currency, interval, usage_type }: Price) =>
    active && currency === item.currency && interval !== null && usage_type !== 'metered' && !taken.has(id)
  return plans
    .filter((plan) => plan.active)
    .map((plan) => ({
      plan: plan.name,
      prices: plan.prices.filter(fits).map((price) => ({ id: price.id, label: priceLabel(price) })),
    }))
    .filter(({ prices }) => prices.length > 0)
}
