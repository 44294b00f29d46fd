import * as billing from '@agency/contract/descriptors/billing'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import type { StateOf } from '../../lib/search-state.ts'
import { paymentSearch, subscriptionSearch } from './billing-search.ts'

const pages = { sizes: [10, 25, 50], initialSize: 25 }

/** As the server takes them, for the list and for its export. */
export const subscriptionFiltersOf = (state: StateOf<typeof subscriptionSearch>) => ({
  ...chosenOf(subscriptionSearch, state, ofSubscriptions),
  sort: state.sort,
})

const ofSubscriptions = ['search', 'status', 'plan', 'customer'] as const
export const subscriptionsList = defineList({
  ...pages,
  search: subscriptionSearch,
  filters: ofSubscriptions,
  details: ['view'],
  query: (page, state) => q(billing.listSubscriptions, { query: { ...page, ...subscriptionFiltersOf(state) } }),
  rows: (answer) => answer.subscriptions,
})

export function paymentFiltersOf(state: StateOf<typeof paymentSearch>) {
  const { status, ...others } = chosenOf(paymentSearch, state, ofPayments)
  const marked = status === 'disputed' ? { disputed: 'true' as const } : { status }
  return { ...others, ...marked, sort: state.sort }
}

const ofPayments = ['search', 'status', 'customer', 'subscription', 'created_from', 'created_to'] as const
export const paymentsList = defineList({
  ...pages,
  search: paymentSearch,
  filters: ofPayments,
  details: ['view'],
  query: (page, state) => q(billing.listPayments, { query: { ...page, ...paymentFiltersOf(state) } }),
  rows: (answer) => answer.payments,
})

/** What the screen asks first, read from its address. */
export function billingQueries(params: URLSearchParams, pathname: string) {
  const tab = params.get('tab')
  if (pathname === paths.payments && (tab === 'dunning' || tab === 'links')) return []
  if (pathname === paths.payments) return paymentsList.queriesFor(params, pathname)
  if (tab === 'plans') return [q(billing.listPlans, {})]
  if (tab === 'coupons') return []
  return subscriptionsList.queriesFor(params, pathname)
}
