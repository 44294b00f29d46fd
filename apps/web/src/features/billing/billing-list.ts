import { billing } from '@agency/contract/descriptors'
import { useEffect } from 'react'
import { q } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { type PageQuery, readPaging } from '../../lib/use-paging.ts'
import { readState } from '../../lib/use-search-state.ts'
import {
  type PaymentSearch,
  paymentQuery,
  paymentSearch,
  type SubscriptionSearch,
  subscriptionQuery,
  subscriptionSearch,
} from './billing-search.ts'

export type TabProps = {
  /** The tab's own rows have come, or could not be had. */
  onSettled: (failed: boolean) => void
}

const pageSizes = [10, 25, 50]

type Query = { isPending: boolean; isError: boolean }

export function useSettled({ isPending, isError }: Query, onSettled: (failed: boolean) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: told of a change, not for every new callback
  useEffect(() => {
    if (!isPending) onSettled(isError)
  }, [isPending, isError])
}

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
