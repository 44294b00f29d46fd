import type { PaymentStatus, SubscriptionStatus } from '@agency/contract/types'
import { day } from '../../lib/day-field.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'

export const subscriptionFilters = [
  'all',
  'active',
  'trialing',
  'past_due',
  'cancelled',
  'unpaid',
  'incomplete',
  'paused',
] as const satisfies readonly ('all' | SubscriptionStatus)[]
const subscriptionSorts = ['created_at', 'amount', 'current_period_end', 'total_revenue'] as const
const subscriptionViews = ['overview', 'items', 'invoices', 'actions'] as const

export const subscriptionSearch = {
  search: text(),
  status: oneOf(subscriptionFilters, 'all'),
  plan: text(),
  customer: text(),
  sort: oneOf(withDescending(subscriptionSorts), '-created_at'),
  open: text('', { keepsPage: true }),
  view: oneOf(subscriptionViews, 'overview', { keepsPage: true }),
}
export type SubscriptionSearch = StateOf<typeof subscriptionSearch>

/** `disputed` is a mark beside the status at the provider, and a choice among them here. */
export const paymentFilters = [
  'all',
  'succeeded',
  'pending',
  'processing',
  'failed',
  'refunded',
  'uncaptured',
  'disputed',
] as const satisfies readonly ('all' | 'disputed' | PaymentStatus)[]
const paymentSorts = ['created_at', 'amount'] as const
const paymentViews = ['overview', 'refunds', 'attempts', 'invoices', 'actions'] as const

export const paymentSearch = {
  search: text(),
  status: oneOf(paymentFilters, 'all'),
  customer: text(),
  subscription: text(),
  created_from: day(),
  created_to: day(),
  sort: oneOf(withDescending(paymentSorts), '-created_at'),
  open: text('', { keepsPage: true }),
  view: oneOf(paymentViews, 'overview', { keepsPage: true }),
}
export type PaymentSearch = StateOf<typeof paymentSearch>

function withDescending<const F extends readonly string[]>(fields: F): (F[number] | `-${F[number]}`)[] {
  return fields.flatMap((field: F[number]) => [field, `-${field}` as const])
}
