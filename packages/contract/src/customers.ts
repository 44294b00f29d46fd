import { z } from 'zod'
import { invoice, payment, subscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { count, currency, idParams, instant, minorUnits, money, pageQuery, searchText, sortOf } from './primitives.ts'

export const customerStatuses = ['active', 'suspended', 'cancelled', 'pending'] as const
export const customerStatus = z.enum(customerStatuses)
export type CustomerStatus = z.output<typeof customerStatus>

export const accountTypes = ['enterprise', 'professional', 'starter', 'free'] as const
export const accountType = z.enum(accountTypes)
export type AccountType = z.output<typeof accountType>

export const customer = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  status: customerStatus,
  created_at: instant,
  site_count: count,
  metadata: z.object({ company: z.string().nullable() }),
  account_type: accountType,
  subscription_id: z.string().nullable(),
  country: z.string().nullable(),
  /** In `currency`, the account's default; `by_currency` lists every currency. */
  total_revenue: minorUnits,
  currency,
  by_currency: z.array(money),
  last_payment_date: instant.nullable(),
  /** Deleted at the provider. */
  deleted: z.boolean(),
})
export type Customer = z.output<typeof customer>

export const customerDetails = z.object({
  ...customer.shape,
  metadata: z.record(z.string(), z.string()),
  subscriptions: z.array(subscription),
  payments: z.array(payment),
  invoices: z.array(invoice),
  fetched_at: instant,
})
export type CustomerDetails = z.output<typeof customerDetails>

const filters = {
  status: z.enum(['all', ...customerStatuses]).optional(),
  search: searchText.optional(),
  sort: sortOf(['created_at', 'name', 'total_revenue', 'last_payment_date']).optional(),
  account_type: accountType.optional(),
  /** A product's id: customers with a live subscription to it. */
  plan: z.string().max(255).optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')
    .optional(),
  revenue_min: z.coerce.number().int().optional(),
  revenue_max: z.coerce.number().int().optional(),
  created_from: z.iso.date().optional(),
  created_to: z.iso.date().optional(),
  last_payment_from: z.iso.date().optional(),
  last_payment_to: z.iso.date().optional(),
}

export const listCustomers = endpoint({
  method: 'GET',
  path: '/stripe/customers',
  permission: 'customers.read',
  summary: 'Customers, newest first',
  query: z.strictObject({ ...pageQuery(100), ...filters }),
  response: z.object({ customers: z.array(customer), has_more: z.boolean(), total: count.nullable() }),
  topics: ['customers', 'subscriptions', 'payments'],
})

export const getCustomer = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id',
  permission: 'customers.read',
  summary: 'One customer with subscriptions, newest payments and invoices',
  params: idParams,
  response: z.object({ customer: customerDetails }),
  topics: ['customers', 'subscriptions', 'payments', 'invoices'],
})

export const listCustomerCountries = endpoint({
  method: 'GET',
  path: '/stripe/customers-countries',
  permission: 'customers.read',
  summary: 'Countries that customers have, most frequent first',
  response: z.object({ countries: z.array(z.object({ country: z.string(), customers: count })) }),
  topics: ['customers'],
})

const activityBase = {
  id: z.string(),
  at: instant,
  title: z.string(),
  detail: z.string().nullable(),
  link_id: z.string().nullable(),
}

export const listCustomerActivity = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/activity',
  permission: 'customers.read',
  summary:
    'What happened with a customer, newest first: payments, refunds, invoices, subscription starts and ends, actions taken here',
  params: idParams,
  query: z.strictObject({ limit: pageQuery(25).limit, before: z.string().max(300).optional() }),
  response: z.object({
    entries: z.array(
      z.object({
        ...activityBase,
        kind: z.enum(['payment', 'refund', 'invoice', 'subscription', 'action', 'dispute']),
        status: z.string().nullable(),
        amount: minorUnits.nullable(),
        currency: currency.nullable(),
        actor: z.string().nullable(),
      }),
    ),
    has_more: z.boolean(),
    next: z.string().nullable(),
  }),
  topics: ['customers', 'subscriptions', 'payments', 'invoices', 'audit'],
})

export const exportCustomers = endpoint({
  method: 'GET',
  path: '/stripe/customers/export',
  permission: 'customers.read',
  summary: 'All customers that match the filters, as CSV',
  query: z.strictObject(filters),
  response: z.string(),
  produces: 'text/csv',
})
