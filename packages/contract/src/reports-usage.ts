import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, currency, instant, minorUnits, searchText } from './primitives.ts'
import { change, definition, rangeQuery, reportPeriod } from './reports-range.ts'
import { rowsPage } from './reports-revenue.ts'

/** Cloudflare keeps days in UTC, which cannot be cut for another zone. */
export const utcRangeQuery = {
  range: rangeQuery.range,
  from: rangeQuery.from,
  to: rangeQuery.to,
  compare: rangeQuery.compare,
}

export const usageMetricKeys = [
  'visits',
  'page_views',
  'requests',
  'bandwidth',
  'cache_share',
  'deployments',
  'build_minutes',
  'storage',
] as const

export const usageMetric = z.object({
  key: z.enum(usageMetricKeys),
  metric: z.string(),
  /** null: not known; `reason` says why. */
  current: z.number().nullable(),
  previous: z.number().nullable(),
  /** Percent; of a share in points. */
  change: z.number().nullable(),
  unit: z.enum(['count', 'bytes', 'percent', 'minutes']),
  reason: z.string().nullable(),
  definition: z.string(),
  /** On how many days of the range it is known; null for what is no sum of days. */
  known_days: count.nullable(),
})
export type UsageMetric = z.output<typeof usageMetric>

/** price - fees - refunds - hosting = margin, in the currency that Stripe settles in. */
export const profitTotals = z.object({
  currency,
  price: minorUnits,
  fees: minorUnits,
  /** What was lost in disputes among them. */
  refunds: minorUnits,
  hosting: minorUnits.nullable(),
  margin: minorUnits.nullable(),
  /** Of the same, what belongs to no site: customers without one, and what Stripe charges by itself. */
  unassigned: z.object({ price: minorUnits, fees: minorUnits, refunds: minorUnits }),
})
export type ProfitTotals = z.output<typeof profitTotals>

export const getUsageReport = endpoint({
  method: 'GET',
  path: '/reports/usage',
  permission: 'analytics.read',
  summary: 'Visits, requests, bandwidth, builds and storage of a range against another one',
  query: z.strictObject(utcRangeQuery),
  response: z.object({
    period: reportPeriod,
    days: count,
    metrics: z.array(usageMetric),
    daily: z.array(
      z.object({
        day: z.iso.date(),
        visits: count.nullable(),
        requests: count.nullable(),
        cached_requests: count.nullable(),
        bandwidth: count.nullable(),
      }),
    ),
    definitions: z.array(definition),
    as_of: instant,
  }),
  topics: ['domain_analytics', 'sites', 'deployments'],
})

const limited = z.object({
  used: z.number().nullable(),
  /** Of the plan; null where it says none. */
  limit: z.number().nullable(),
  percent: z.number().nullable(),
})

export const usageSite = z.object({
  site_id: z.string(),
  site_name: z.string(),
  domain: z.string(),
  customer_id: z.string().nullable(),
  customer: z.string().nullable(),
  plan: z.string().nullable(),
  visits: count.nullable(),
  requests: count.nullable(),
  /** In GB; the plan's limit is brought to the length of the range. */
  bandwidth: limited,
  /** In MB, now. */
  storage: limited,
  deployments: count,
  build_minutes: z.number(),
  currency: currency.nullable(),
  price: minorUnits.nullable(),
  fees: minorUnits.nullable(),
  refunds: minorUnits.nullable(),
  hosting: minorUnits.nullable(),
  margin: minorUnits.nullable(),
  is_upsell: z.boolean(),
  is_loss: z.boolean(),
})
export type UsageSite = z.output<typeof usageSite>

export const usageSiteSorts = [
  'margin',
  '-margin',
  '-price',
  '-bandwidth',
  '-requests',
  '-storage',
  'site_name',
] as const

export const listUsageSites = endpoint({
  method: 'GET',
  path: '/reports/usage/sites',
  permission: 'analytics.read',
  summary: 'Usage and profit of each site and of all sites; money needs billing.read too',
  query: z.strictObject({
    ...utcRangeQuery,
    /** `upsell`: at 80 % of a plan’s limit and above. `loss`: what costs more than it brings. */
    show: z.enum(['all', 'upsell', 'loss']).default('all'),
    sort: z.enum(usageSiteSorts).default('-bandwidth'),
    search: searchText.optional(),
    ...rowsPage,
  }),
  response: z.object({
    sites: z.array(usageSite),
    total: count,
    has_more: z.boolean(),
    /** Of all sites, whichever are shown. null without the permission billing.read, or while Stripe's balance transactions are not known. */
    profit: z.array(profitTotals).nullable(),
    profit_reason: z.string().nullable(),
    /** Why hosting costs are not known; null where they are. */
    hosting_reason: z.string().nullable(),
    counts: z.object({ sites: count, upsell: count, loss: count }),
  }),
  topics: ['domain_analytics', 'sites', 'deployments', 'payments', 'settings'],
  variesWith: ['billing.read'],
})

export const performanceRow = z.object({
  date: z.iso.date(),
  /** Milliseconds. */
  response_time: z.number().nullable(),
  /** Percent. */
  uptime: z.number().min(0).max(100).nullable(),
  requests: count.nullable(),
  errors: count.nullable(),
})
export type PerformanceRow = z.output<typeof performanceRow>

export const getPerformanceReport = endpoint({
  method: 'GET',
  path: '/reports/performance',
  permission: 'analytics.read',
  summary:
    'Response time and uptime as the monitor measured them, requests and server errors as Cloudflare saw them, by day',
  query: z.strictObject(utcRangeQuery),
  response: z.object({
    period: reportPeriod,
    rows: z.array(performanceRow),
    uptime: change,
    response_time: change,
    requests: change,
    errors: change,
    definitions: z.array(definition),
    as_of: instant,
  }),
  topics: ['domain_analytics', 'monitoring', 'sites'],
})
