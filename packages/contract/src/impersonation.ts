import { z } from 'zod'
import { invoice, payment, subscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, mirroredAsOf, pageQuery } from './primitives.ts'
import { site } from './site.ts'

/** `portal`: a session of the provider's billing portal. `view`: the customer's account, read-only, in the console. */
export const impersonationWay = z.enum(['portal', 'view'])
export type ImpersonationWay = z.output<typeof impersonationWay>

/** A portal session is handed over and then out of our hands; a view lives and ends here. */
export const impersonationState = z.enum(['live', 'ended', 'requested', 'handed_over', 'failed'])
export type ImpersonationState = z.output<typeof impersonationState>

export const impersonationCause = z.enum([
  'ended',
  'ended_by_other',
  'time',
  'signed_out',
  'idle',
  'session_limit',
  'session_ended',
  'deactivated',
  'permission_lost',
  'customer_deleted',
  'provider_failed',
  'interrupted',
])
export type ImpersonationCause = z.output<typeof impersonationCause>

export const impersonationPage = z.enum(['account', 'subscriptions', 'invoices', 'payments', 'sites'])
export type ImpersonationPage = z.output<typeof impersonationPage>

export const impersonation = z.object({
  id: z.string(),
  way: impersonationWay,
  state: impersonationState,
  customer_id: z.string(),
  /** As the customer is called now; null where nobody knows any more. */
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  /** Deleted at the provider, or not known any more. */
  customer_deleted: z.boolean(),
  reason: z.string(),
  ticket_id: z.string().nullable(),
  actor_id: z.string(),
  actor_name: z.string(),
  started_at: instant,
  /** When a view ends by itself. */
  until: instant.nullable(),
  ended_at: instant.nullable(),
  cause: impersonationCause.nullable(),
  /** Whether the customer was told by mail: sent off, or kept in the outbox because there is no mail server. */
  notice: z.enum(['queued', 'kept']).nullable(),
  /** Who ended it, where somebody did. */
  ended_by: z.string().nullable(),
  /** The parts of a view that were opened, in the order of the first time. */
  pages: z.array(impersonationPage),
  /** It was opened in the session that asks. */
  is_mine: z.boolean(),
})
export type Impersonation = z.output<typeof impersonation>

const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const minReason = 10
const maxReason = 500

const reason = z
  .string()
  .trim()
  .max(maxReason, `A reason has ${maxReason} characters at most`)
  .refine(
    (text) => [...text.replace(/\s+/g, ' ')].length >= minReason,
    `Give a reason of at least ${minReason} characters`,
  )
  .refine(isText, 'A reason is text')

const ticket = z
  .string()
  .trim()
  .max(100, 'A ticket id has 100 characters at most')
  .refine((text) => isText(text) && !/\p{Cc}/u.test(text), 'A ticket id is one line of text')
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .default(null)

const start = z.strictObject({
  customer_id: z.string().min(1).max(255),
  reason,
  ticket_id: ticket,
  /** Tell the customer by mail, without the reason. */
  notify: z.boolean().default(false),
})

export const startView = endpoint({
  method: 'POST',
  path: '/admin/impersonations/view',
  permission: 'customers.write',
  summary: "Open a customer's account, read-only and for 30 minutes, in the session that asks",
  body: start,
  response: z.object({ impersonation }),
})

export const openPortal = endpoint({
  method: 'POST',
  path: '/admin/impersonations/portal',
  permission: 'billing.write',
  summary: "Open a session of Stripe's billing portal for a customer; its address is answered once",
  body: start,
  response: z.object({ impersonation, url: z.url() }),
})

export const listImpersonations = endpoint({
  method: 'GET',
  path: '/admin/impersonations',
  permission: 'customers.read',
  summary: 'Live and past impersonations, newest first',
  query: z.strictObject({ ...pageQuery(25), show: z.enum(['all', 'live', 'past']).optional() }),
  response: z.object({ impersonations: z.array(impersonation), has_more: z.boolean(), total: count }),
  topics: ['impersonations', 'customers'],
  isPersonal: true,
})

export const getImpersonation = endpoint({
  method: 'GET',
  path: '/admin/impersonations/:id',
  permission: 'customers.read',
  summary: 'One impersonation',
  params: idParams,
  response: z.object({ impersonation }),
  topics: ['impersonations', 'customers'],
  isPersonal: true,
})

export const getCurrentImpersonation = endpoint({
  method: 'GET',
  path: '/admin/impersonation',
  permission: 'any',
  summary: 'The view that lives in the session that asks, if there is one',
  response: z.object({ impersonation: impersonation.nullable(), remaining_s: count.nullable() }),
  topics: ['impersonations', 'customers'],
})

export const endImpersonation = endpoint({
  method: 'POST',
  path: '/admin/impersonations/:id/end',
  permission: 'customers.write',
  summary: 'End a view at once, whoever opened it',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: z.object({ impersonation }),
})

/** What customers are told of their own account: nothing of what the agency keeps about them. */
export const viewedAccount = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company: z.string().nullable(),
  country: z.string().nullable(),
  created_at: instant,
})
export type ViewedAccount = z.output<typeof viewedAccount>

export const viewedSubscription = subscription.pick({
  id: true,
  plan_name: true,
  more_items: true,
  status: true,
  amount: true,
  currency: true,
  billing_period: true,
  interval: true,
  interval_count: true,
  current_period_end: true,
  created_at: true,
  trial_end: true,
  cancel_at: true,
  cancel_at_period_end: true,
  ended_at: true,
})
export type ViewedSubscription = z.output<typeof viewedSubscription>

/** Without the page on which an invoice can be paid: a view only looks. */
export const viewedInvoice = invoice.pick({
  id: true,
  number: true,
  status: true,
  amount_due: true,
  amount_paid: true,
  amount_remaining: true,
  currency: true,
  created_at: true,
  due_date: true,
  invoice_pdf: true,
})
export type ViewedInvoice = z.output<typeof viewedInvoice>

export const viewedPayment = payment.pick({
  id: true,
  amount: true,
  currency: true,
  status: true,
  refunded_amount: true,
  payment_method_type: true,
  description: true,
  created_at: true,
})
export type ViewedPayment = z.output<typeof viewedPayment>

export const viewedSite = site.pick({
  id: true,
  site_name: true,
  domain: true,
  status: true,
  deployment_url: true,
  last_deployment: true,
  created_at: true,
})
export type ViewedSite = z.output<typeof viewedSite>

const viewed = { method: 'GET', permission: 'customers.write', params: idParams, isPersonal: true } as const

export const viewAccount = endpoint({
  ...viewed,
  path: '/admin/impersonations/:id/account',
  summary: 'In a view: the account',
  response: z.object({ account: viewedAccount }),
  topics: ['customers'],
})

export const viewSubscriptions = endpoint({
  ...viewed,
  path: '/admin/impersonations/:id/subscriptions',
  summary: 'In a view: the subscriptions, newest first, 100 at most',
  response: z.object({ subscriptions: z.array(viewedSubscription), as_of: mirroredAsOf }),
  topics: ['subscriptions'],
})

export const viewInvoices = endpoint({
  ...viewed,
  path: '/admin/impersonations/:id/invoices',
  summary: 'In a view: the invoices that were sent, newest first',
  query: z.strictObject(pageQuery(25)),
  response: z.object({
    invoices: z.array(viewedInvoice),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['invoices'],
})

export const viewPayments = endpoint({
  ...viewed,
  path: '/admin/impersonations/:id/payments',
  summary: 'In a view: the payments, newest first',
  query: z.strictObject(pageQuery(25)),
  response: z.object({
    payments: z.array(viewedPayment),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['payments'],
})

export const viewSites = endpoint({
  ...viewed,
  path: '/admin/impersonations/:id/sites',
  summary: 'In a view: the sites, by name, 100 at most',
  response: z.object({ sites: z.array(viewedSite) }),
  topics: ['sites'],
})
