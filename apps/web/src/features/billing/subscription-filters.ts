import type { Subscription } from '@agency/contract/types'
import { chipsOf } from '../../lib/list/define-list.ts'
import { customerNameOf } from '../../lib/names.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import type { Choice } from '../../ui/FilterField.tsx'
import { type SubscriptionSearch, subscriptionFilters, subscriptionSearch } from './billing-search.ts'

export const subscriptionStatusChoices: readonly Choice[] = subscriptionFilters.map((value) => ({
  value,
  label: value === 'all' ? 'All' : subscriptionStatusChips[value].label,
}))

export const subscriptionChips = (
  state: SubscriptionSearch,
  plans: readonly Choice[],
  rows: readonly Subscription[] | undefined,
) =>
  chipsOf(subscriptionSearch, state, {
    status: (status) => `Status: ${subscriptionStatusChips[status].label}`,
    plan: (plan) => `Plan: ${plans.find((each) => each.value === plan)?.label ?? plan}`,
    customer: (id) => {
      const row = rows?.find((each) => each.customer_id === id)
      return `Customer: ${row ? customerNameOf(row) : id}`
    },
  })
