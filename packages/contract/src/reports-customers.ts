import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, currency, instant, minorUnits, mirroredAsOf } from './primitives.ts'
import { change, definition, moneyFigure, rangeQuery, reportPeriod } from './reports-range.ts'
import { rowsAnswer, rowsPage } from './reports-revenue.ts'

export const customerSegment = z.object({
  /** Stays the same when it is renamed; `other` holds plans that no segment names. */
  id: z.enum(['enterprise', 'professional', 'starter', 'free_trial', 'other']),
  segment: z.string(),
  /** Customers with a live subscription now. */
  count,
  /** Of these customers in the range. */
  revenue: minorUnits,
  /** Of revenue; null without any. */
  percentage: z.number().nullable(),
})
export type CustomerSegment = z.output<typeof customerSegment>

/** Customers whose first MRR was in one month, and what is left of them 0, 1, 2 … months later. */
export const cohort = z.object({
  month: z.string(),
  customers: count,
  mrr: minorUnits,
  months: z.array(
    z.object({
      offset: count,
      /** The month is not over. */
      partial: z.boolean(),
      customers: count,
      mrr: minorUnits,
      logo_percent: z.number(),
      /** null when the cohort's first month ended without MRR. */
      revenue_percent: z.number().nullable(),
    }),
  ),
  reconstructed: z.boolean(),
})
export type Cohort = z.output<typeof cohort>

export const churnCauses = ['failed_card', 'price', 'outage', 'never_launched', 'unknown'] as const
export const churnCause = z.enum(churnCauses)
export type ChurnCause = z.output<typeof churnCause>

export const churnedCustomer = z.object({
  customer_id: z.string(),
  customer: z.string().nullable(),
  at: instant,
  mrr: minorUnits,
  currency,
  cause: churnCause,
  /** What the cause was read from: 'Payment of 11/02/2026 failed: insufficient funds'. */
  evidence: z.string(),
})
export type ChurnedCustomer = z.output<typeof churnedCustomer>

export const radarRisks = [
  'past_due',
  'cancel_scheduled',
  'card_expires',
  'domain_expires',
  'uptime',
  'traffic',
] as const
export const radarRisk = z.enum(radarRisks)

export const renewal = z.object({
  subscription_id: z.string(),
  customer_id: z.string(),
  customer: z.string().nullable(),
  plan_name: z.string(),
  renews_at: instant,
  mrr: minorUnits,
  currency,
  /** What is likely not to renew: MRR times the weights of its risks, all of it at most. */
  mrr_at_risk: minorUnits,
  risks: z.array(z.object({ risk: radarRisk, weight_percent: count, text: z.string() })),
  /** `2027-03`; null when no card is known. */
  card_expires: z.string().nullable(),
  /** The soonest of its sites' domains; null when no registration is known. */
  domain: z.string().nullable(),
  domain_expires_at: instant.nullable(),
  /** Of its sites in the last 30 days; null before the first check. */
  uptime_percent: z.number().nullable(),
  /** Visits of the last 30 days against the 30 before, in percent; null where not known. */
  traffic_percent: z.number().nullable(),
})
export type Renewal = z.output<typeof renewal>

export const getCustomerReport = endpoint({
  method: 'GET',
  path: '/reports/customers',
  permission: 'analytics.read',
  summary: 'Segments, retention by cohort, ARPA, LTV and churn of a range',
  query: z.strictObject({ ...rangeQuery, currency: currency.optional() }),
  response: z.object({
    period: reportPeriod,
    /** That of every figure here; the default one unless told. */
    currency,
    currencies: z.array(currency),
    segments: z.array(customerSegment),
    /** Customers with MRR at the end of the range. */
    paying_customers: change,
    arpa: z.object({ ...moneyFigure.shape, definition: z.string() }),
    ltv: z.object({ ...moneyFigure.shape, definition: z.string() }),
    /** Customers lost in the range, of those that paid at its start, brought to a month; percent. */
    churn_rate: change,
    cohorts: z.array(cohort),
    churn: z.object({
      customers: count,
      mrr: minorUnits,
      causes: z.array(z.object({ cause: churnCause, customers: count, mrr: minorUnits })),
    }),
    definitions: z.array(definition),
    as_of: mirroredAsOf,
  }),
  topics: ['payments', 'subscriptions', 'customers', 'plans', 'sites', 'incidents', 'deployments', 'settings'],
})

export const customerFigures = ['segment', 'cohort', 'paying'] as const

export const getCustomerRows = endpoint({
  method: 'GET',
  path: '/reports/customers/rows',
  permission: 'analytics.read',
  summary: 'The customers behind a figure of the customer report; needs customers.read too',
  query: z.strictObject({
    ...rangeQuery,
    figure: z.enum(customerFigures),
    currency: currency.optional(),
    segment: customerSegment.shape.id.optional(),
    /** Month of a cohort, and how many months later. */
    cohort: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .optional(),
    offset_months: z.coerce.number().int().min(0).max(60).optional(),
    ...rowsPage,
  }),
  response: rowsAnswer,
  topics: ['payments', 'subscriptions', 'customers', 'plans', 'settings'],
  isPersonal: true,
})

export const listChurned = endpoint({
  method: 'GET',
  path: '/reports/customers/churned',
  permission: 'analytics.read',
  summary: 'Customers whose MRR ended in a range, with the likely cause; needs customers.read too',
  query: z.strictObject({
    ...rangeQuery,
    currency: currency.optional(),
    cause: churnCause.optional(),
    ...rowsPage,
  }),
  response: z.object({
    churned: z.array(churnedCustomer),
    total: minorUnits,
    count,
    has_more: z.boolean(),
  }),
  topics: ['subscriptions', 'customers', 'payments', 'sites', 'incidents', 'deployments'],
  isPersonal: true,
})

export const listRenewals = endpoint({
  method: 'GET',
  path: '/reports/customers/renewals',
  permission: 'analytics.read',
  summary: 'Subscriptions that renew soon, most MRR at risk first; needs billing.read too',
  query: z.strictObject({
    days: z.coerce.number().int().min(1).max(90).default(30),
    currency: currency.optional(),
    limit: rowsPage.limit,
  }),
  response: z.object({
    renewals: z.array(renewal),
    /** All that renew within these days, not only those listed. */
    count,
    mrr: minorUnits,
    mrr_at_risk: minorUnits,
    currency,
    definitions: z.array(definition),
  }),
  topics: ['subscriptions', 'customers', 'payments', 'sites', 'incidents', 'domain_analytics'],
  isPersonal: true,
})
