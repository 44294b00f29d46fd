import * as billing from '@agency/contract/descriptors/billing'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { readState } from '../../lib/search-state.ts'
import {
  type PaymentSearch,
  paymentQuery,
  paymentSearch,
  type SubscriptionSearch,
  subscriptionQuery,
  subscriptionSearch,
} from './billing-search.ts'

const pageSizes = [10, 25, 50]

export const billingPaging = { sizes: pageSizes, initialSize: 25 }

export function subscriptionsList(page: PageQuery, state: SubscriptionSearch) {
  return q(billing.listSubscriptions, { query: { ...page, ...subscriptionQuery(state) } })
}

export function paymentsList(page: PageQuery, state: PaymentSearch) {
  return q(billing.listPayments, { query: { ...page, ...paymentQuery(state) } })
}

/** What the screen asks first, read from its address. */
export function billingQueries(params: URLSearchParams, pathname: string) {
  const page = readPaging(params, billingPaging)
  if (pathname === paths.payments) return [paymentsList(page, readState(paymentSearch, params))]
  if (params.get('tab') === 'plans') return [q(billing.listPlans, {})]
  return [subscriptionsList(page, readState(subscriptionSearch, params))]
}
