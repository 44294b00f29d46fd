import { z } from 'zod'
import { card } from './cards.ts'
import { endpoint } from './endpoint.ts'
import { listedInvoice } from './invoices.ts'
import { count, currency, instant, minorUnits, mirroredAsOf, pageQuery, searchText, sortOf } from './primitives.ts'

/** An open invoice that was tried in vain. */
export const failedInvoice = z.object({
  ...listedInvoice.shape,
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  /** The subscription that it bills; null for an invoice of its own. */
  plan_name: z.string().nullable(),
  subscription_status: z.string().nullable(),
  /** The payment that was tried last; null as long as none is known. */
  payment_id: z.string().nullable(),
  /** The card that was tried; null for other methods. */
  card: card.nullable(),
  /** When the last try failed. */
  failed_at: instant.nullable(),
  failure_code: z.string().nullable(),
  failure_message: z.string().nullable(),
  /** The bank waits for the customer to confirm. */
  needs_customer: z.boolean(),
  /** When the provider tries again by itself; null: it does not. Its schedule beyond that is not told. */
  next_attempt_at: instant.nullable(),
})
export type FailedInvoice = z.output<typeof failedInvoice>

/** `retrying`: the provider tries again by itself. `stopped`: it does not. */
const dunningStates = ['retrying', 'stopped'] as const

const dunningFields = {
  state: z.enum(['all', ...dunningStates]).optional(),
  search: searchText.optional(),
  sort: sortOf(['next_attempt_at', 'amount_remaining', 'created_at']).optional(),
  customer: z.string().max(255).optional(),
  currency: currency.optional(),
}
export const dunningFilters = z.strictObject(dunningFields)

export const listFailedInvoices = endpoint({
  method: 'GET',
  path: '/stripe/dunning',
  permission: 'billing.read',
  summary: 'Open invoices whose payment failed, the next retry first',
  query: z.strictObject({ ...pageQuery(50), ...dunningFields }),
  response: z.object({
    invoices: z.array(failedInvoice),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['invoices', 'payments', 'customers', 'subscriptions', 'money_actions'],
})

export const getDunning = endpoint({
  method: 'GET',
  path: '/stripe/dunning/figures',
  permission: 'billing.read',
  summary: 'What is at stake in failed payments, and what was recovered this month',
  response: z.object({
    /** The account's own. */
    currency,
    by_currency: z.array(
      z.object({
        currency,
        at_stake: minorUnits,
        retrying: count,
        stopped: count,
        /** Paid this month after a try that had failed. */
        recovered: minorUnits,
        recovered_invoices: count,
      }),
    ),
    /** The next try of all. */
    next_attempt_at: instant.nullable(),
    /** When this month began, in the account's time zone. */
    month_start: instant,
    as_of: mirroredAsOf,
  }),
  topics: ['invoices', 'payments'],
})
export type Dunning = z.output<typeof getDunning.response>
