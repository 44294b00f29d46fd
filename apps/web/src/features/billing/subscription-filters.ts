import type { Subscription } from '@agency/contract/types'
import { customerNameOf } from '../../lib/names.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import type { Choice } from '../../ui/FilterField.tsx'
import { type SubscriptionSearch, subscriptionFilters } from './billing-search.ts'

export const subscriptionStatusChoices: readonly Choice[] = subscriptionFilters.map((value) => ({
  value,
  label: value === 'all' ? 'All' : subscriptionStatusChips[value].label,
}))

export const noSubscriptionFilters = {
  search: '',
  status: 'all',
  plan: '',
  customer: '',
} as const satisfies Partial<SubscriptionSearch>

type FilterChip = { label: string; without: Partial<SubscriptionSearch> }

export function subscriptionChips(
  state: SubscriptionSearch,
  plans: readonly Choice[],
  rows: readonly Subscription[] | undefined,
): FilterChip[] {
  const chips: FilterChip[] = []
  if (state.status !== 'all') {
    chips.push({ label: `Status: ${subscriptionStatusChips[state.status].label}`, without: { status: 'all' } })
  }
  if (state.plan) {
    const plan = plans.find((each) => each.value === state.plan)?.label ?? state.plan
    chips.push({ label: `Plan: ${plan}`, without: { plan: '' } })
  }
  if (state.customer) {
    const row = rows?.find((each) => each.customer_id === state.customer)
    chips.push({ label: `Customer: ${row ? customerNameOf(row) : state.customer}`, without: { customer: '' } })
  }
  return chips
}
