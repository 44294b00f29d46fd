import * as billing from '@agency/contract/descriptors/billing'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import { paymentSearch, subscriptionSearch } from './billing-search.ts'

const pages = { sizes: [10, 25, 50], initialSize: 25 }

const ofSubscriptions = ['search', 'status', 'plan', 'customer'] as const
export const subscriptionsList = defineList({
  ...pages,
  search: subscriptionSearch,
  filters: ofSubscriptions,
  details: ['view'],
  query: (page, state) =>
    q(billing.listSubscriptions, {
      query: { ...page, ...chosenOf(subscriptionSearch, state, ofSubscriptions), sort: state.sort },
    }),
  rows: (answer) => answer.subscriptions,
})

const ofPayments = ['search', 'status', 'customer', 'subscription', 'created_from', 'created_to'] as const
export const paymentsList = defineList({
  ...pages,
  search: paymentSearch,
  filters: ofPayments,
  details: ['view'],
  query: (page, state) => {
    const { status, ...others } = chosenOf(paymentSearch, state, ofPayments)
    const marked = status === 'disputed' ? { disputed: 'true' as const } : { status }
    return q(billing.listPayments, { query: { ...page, ...others, ...marked, sort: state.sort } })
  },
  rows: (answer) => answer.payments,
})

/** What the screen asks first, read from its address. */
export function billingQueries(params: URLSearchParams, pathname: string) {
  if (pathname === paths.payments) return paymentsList.queriesFor(params, pathname)
  if (params.get('tab') === 'plans') return [q(billing.listPlans, {})]
  return subscriptionsList.queriesFor(params, pathname)
}
