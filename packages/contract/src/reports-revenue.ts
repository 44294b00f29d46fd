import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, currency, instant, minorUnits, mirroredAsOf } from './primitives.ts'
import { change, definition, moneyFigure, rangeQuery, reportPeriod } from './reports-range.ts'

/** `2026-11`, in the time zone of the report. */
const month = z.string().regex(/^\d{4}-\d{2}$/)

/** `partial`: the range begins or ends within it, or it is not over. */
const monthPart = { month, from: instant, until: instant, partial: z.boolean() }

export const revenueRow = z.object({
  ...monthPart,
  revenue: minorUnits,
  /** Subscriptions past their trial and not ended at its end. */
  subscriptions: count,
  /** Percent against the row before; null for the first one, after a month without revenue, and beside a partial month. */
  growth: z.number().nullable(),
})
export type RevenueRow = z.output<typeof revenueRow>

export const movementKinds = ['new', 'expansion', 'reactivation', 'contraction', 'churn'] as const
export const movementKind = z.enum(movementKinds)
export type MovementKind = z.output<typeof movementKind>

/** start + new + expansion + reactivation - contraction - churn = end, in whole minor units. */
export const bridgeMonth = z.object({
  ...monthPart,
  start: minorUnits,
  new: minorUnits,
  expansion: minorUnits,
  reactivation: minorUnits,
  contraction: minorUnits,
  churn: minorUnits,
  end: minorUnits,
  /** Part of it is from before the first import, and reconstructed from paid invoices. */
  reconstructed: z.boolean(),
})
export type BridgeMonth = z.output<typeof bridgeMonth>

export const bridge = z.object({
  currency,
  months: z.array(bridgeMonth),
  /** Now, whatever the range. `committed`: less what is set to be cancelled. `past_due` is part of `mrr`. */
  now: z.object({ mrr: minorUnits, committed: minorUnits, past_due: minorUnits }),
})
export type Bridge = z.output<typeof bridge>

/** gross - refunds - disputes = revenue, in the currency that customers paid in; tax is part of gross. */
export const grossToNet = z.object({
  currency,
  months: z.array(
    z.object({
      ...monthPart,
      gross: minorUnits,
      refunds: minorUnits,
      disputes: minorUnits,
      revenue: minorUnits,
      tax: minorUnits,
    }),
  ),
  gross: minorUnits,
  refunds: minorUnits,
  disputes: minorUnits,
  revenue: minorUnits,
  tax: minorUnits,
  /** Stripe's, when all of these payments settled in the same currency; null otherwise. */
  fees: moneyFigure,
  /** Revenue less fees. */
  net: moneyFigure,
})
export type GrossToNet = z.output<typeof grossToNet>

/** From balance transactions: charges - refunds - disputes + other - fees = net, in the currency that Stripe settles in. */
export const settlement = z.object({
  currency,
  charges: minorUnits,
  refunds: minorUnits,
  disputes: minorUnits,
  other: minorUnits,
  fees: minorUnits,
  net: minorUnits,
  /** Transactions that were converted, each at its own rate. */
  converted: count,
  months: z.array(z.object({ ...monthPart, fees: minorUnits, net: minorUnits })),
})
export type Settlement = z.output<typeof settlement>

/** Paid ahead and not yet served: invoice lines of more than a month, evenly over their period. */
export const deferred = z.object({
  currency,
  start: minorUnits,
  /** Paid ahead in the range. */
  added: minorUnits,
  /** Served, refunded or ended in the range: start + added - recognized = end. */
  recognized: minorUnits,
  end: minorUnits,
})
export type Deferred = z.output<typeof deferred>

export const topSite = z.object({
  site_id: z.string(),
  domain: z.string(),
  customer_id: z.string().nullable(),
  customer: z.string().nullable(),
  /** null where the site's zone is not known at Cloudflare. */
  visits: count.nullable(),
  visits_reason: z.string().nullable(),
  /** The owner's revenue in the range, split equally over their sites. */
  revenue: minorUnits,
  currency,
  /** Percent of visits; null without a beacon. */
  conversion_rate: z.number().nullable(),
  conversion_reason: z.string().nullable(),
})
export type TopSite = z.output<typeof topSite>

export const getRevenueReport = endpoint({
  method: 'GET',
  path: '/reports/revenue',
  permission: 'analytics.read',
  summary: 'Revenue, MRR month by month, fees and deferred revenue of a range, against another one',
  query: z.strictObject(rangeQuery),
  response: z.object({
    period: reportPeriod,
    /** The default currency: that of the headline, of `months` and of the top sites. */
    currency,
    headline: z.object({
      total_revenue: change,
      active_subscriptions: change,
      total_sites: change,
      /** Milliseconds. */
      avg_response_time: change,
    }),
    by_currency: z.array(z.object({ currency, revenue: change })),
    months: z.array(revenueRow),
    /** For a chart of ranges up to 92 days; null for longer ones. */
    days: z.array(z.object({ day: z.iso.date(), revenue: minorUnits })).nullable(),
    bridges: z.array(bridge),
    gross_to_net: z.array(grossToNet),
    /** Empty with a `settlements_reason` where Stripe's balance transactions are not known. */
    settlements: z.array(settlement),
    settlements_reason: z.string().nullable(),
    deferred: z.array(deferred),
    top_sites: z.array(topSite),
    definitions: z.array(definition),
    as_of: mirroredAsOf,
  }),
  topics: ['payments', 'subscriptions', 'invoices', 'customers', 'sites', 'domain_analytics', 'settings'],
})

export const revenueFigures = [
  'revenue',
  'gross',
  'refunds',
  'disputes',
  'tax',
  'fees',
  /** Revenue less fees, of a currency of which nothing was converted. */
  'net',
  'settled_charges',
  'settled_refunds',
  'settled_disputes',
  'settled_other',
  'settled_net',
  /** MRR of each customer where the bridge begins and ends. */
  'start',
  ...movementKinds,
  'end',
  'mrr',
  'committed',
  'past_due',
  /** At the end of the range. */
  'deferred',
  'deferred_start',
  'deferred_added',
  'deferred_recognized',
  'site_revenue',
] as const
export const revenueFigure = z.enum(revenueFigures)
export type RevenueFigure = z.output<typeof revenueFigure>

export const figureRow = z.object({
  /** Of the thing, and unique within the figure. */
  id: z.string(),
  kind: z.enum(['payment', 'refund', 'dispute', 'transaction', 'invoice', 'subscription', 'movement', 'customer']),
  /** Where its screen is: the payment, subscription, invoice or customer behind the row. */
  opens: z.object({ kind: z.enum(['payment', 'subscription', 'invoice', 'customer']), id: z.string() }).nullable(),
  at: instant.nullable(),
  customer_id: z.string().nullable(),
  customer: z.string().nullable(),
  text: z.string(),
  /** Its share of the figure, with its sign: the rows add up to it exactly. */
  amount: minorUnits,
  reconstructed: z.boolean(),
})
export type FigureRow = z.output<typeof figureRow>

export const rowsAnswer = z.object({
  figure: z.string(),
  currency: currency.nullable(),
  from: instant,
  until: instant,
  /** The figure itself: the sum of all rows, not of this page. */
  total: z.int(),
  count,
  rows: z.array(figureRow),
  has_more: z.boolean(),
})

/** Further than this nobody pages; a range is narrowed instead, or exported. */
export const rowsPage = {
  limit: z.coerce.number().int().min(1).max(100).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
}

export const getRevenueRows = endpoint({
  method: 'GET',
  path: '/reports/revenue/rows',
  permission: 'analytics.read',
  summary: 'The rows behind a figure of the revenue report; needs billing.read too',
  query: z.strictObject({
    ...rangeQuery,
    figure: revenueFigure,
    currency: currency.optional(),
    /** Only that month of the range; of MRR movements the whole bar. */
    month: month.optional(),
    /** For `site_revenue`: whose. */
    site: z.string().max(255).optional(),
    ...rowsPage,
  }),
  response: rowsAnswer,
  topics: ['payments', 'subscriptions', 'invoices', 'customers'],
  isPersonal: true,
})
