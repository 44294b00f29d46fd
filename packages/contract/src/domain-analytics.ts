import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, trend } from './primitives.ts'

export const analyticsRanges = ['24h', '7d', '30d', '90d', '12m'] as const
export const analyticsRange = z.enum(analyticsRanges)
export type AnalyticsRange = z.output<typeof analyticsRange>

/** What the provider did not say is null. */
const figures = {
  requests: count,
  cached_requests: count.nullable(),
  bytes: count,
  cached_bytes: count.nullable(),
  threats: count.nullable(),
  page_views: count.nullable(),
  /** Visitors of several days are never added up: null unless the provider counted them over the whole time. */
  unique_visitors: count.nullable(),
}
export const analyticsTotals = z.object(figures)
export type AnalyticsTotals = z.output<typeof analyticsTotals>

export const analyticsPoint = z.object({
  /** The begin of the hour or the day (UTC). */
  ts: instant,
  ...figures,
  /** Was not over when it was read. */
  is_partial: z.boolean(),
  is_sampled: z.boolean(),
})
export type AnalyticsPoint = z.output<typeof analyticsPoint>

/** `no_access` and the like are never shown as zero. */
export const analyticsErrorCode = z.enum([
  'no_access',
  'not_connected',
  'auth',
  'rate_limit',
  'refused_range',
  'unavailable',
  'bad_answer',
])
export const analyticsError = z.object({
  code: analyticsErrorCode,
  message: z.string(),
  /** Seconds until a further try makes sense. */
  retry_after: z.int().nullable(),
})
export type AnalyticsError = z.output<typeof analyticsError>

/** Where the figures come from: the provider's window, the days that were kept here, or both. */
export const analyticsSource = z.enum(['cloudflare', 'kept', 'cloudflare_and_kept', 'none'])

const share = { requests: count, bytes: count.nullable() }
export const pathShare = z.object({ path: z.string(), ...share })
export const countryShare = z.object({ country: z.string(), ...share })
export const statusShare = z.object({ status: z.int(), ...share })

const series = {
  zone_id: z.string(),
  /** The domain; null when it is not known here. */
  zone_name: z.string().nullable(),
  since: instant,
  until: instant,
  step: z.enum(['hour', 'day']),
  source: analyticsSource,
  sampled: z.boolean(),
  /** null when nothing is known of the time. */
  totals: analyticsTotals.nullable(),
  series: z.array(analyticsPoint),
  /** How many hours or days of the time nobody knows. */
  missing: count,
  /** When the provider was last read; null: never. */
  fetched_at: instant.nullable(),
  /** Older than its lifetime, because the last try failed. */
  is_stale: z.boolean(),
  error: analyticsError.nullable(),
}
export const zoneSeries = z.object(series)
export type ZoneSeries = z.output<typeof zoneSeries>

export const analyticsLimits = z.object({
  /** How many days back the plan keeps days, hours and samples, and how many of them a query may span; null: not known. */
  days_back: z.number().nullable(),
  days_per_query: z.number().nullable(),
  hours_back: z.number().nullable(),
  samples_days_back: z.number().nullable(),
  samples_days_per_query: z.number().nullable(),
  /** Since when days are kept here. */
  kept_since: instant.nullable(),
  /** Whether the range reaches further back than the plan. */
  is_beyond_plan: z.boolean(),
})
export type AnalyticsLimits = z.output<typeof analyticsLimits>

export const zoneAnalytics = z.object({
  ...series,
  plan: z.string().nullable(),
  limits: analyticsLimits,
  /** The equal time before. */
  previous: z.object({
    since: instant,
    until: instant,
    totals: analyticsTotals.nullable(),
    series: z.array(analyticsPoint),
  }),
  /** Whole hours and days only, each against its counterpart; absent where one side is not known. */
  trends: z.partialRecord(z.enum(Object.keys(figures) as [keyof typeof figures]), trend),
  /** Most requests first; null when it could not be read, `breakdown` says why. */
  top_paths: z.array(pathShare).nullable(),
  top_countries: z.array(countryShare).nullable(),
  status_codes: z.array(statusShare).nullable(),
  /** The time that the three lists speak of, which may be shorter than the range. */
  breakdown: z.object({
    since: instant.nullable(),
    until: instant.nullable(),
    sampled: z.boolean(),
    /** One request in so many was looked at. */
    sample_interval: z.number().nullable(),
    error: analyticsError.nullable(),
    paths_error: analyticsError.nullable(),
  }),
})
export type ZoneAnalytics = z.output<typeof zoneAnalytics>

const daysTogether = 400
const custom = {
  /** Instants; they are widened to whole hours (up to three days) or whole days (UTC). */
  since: instant.optional(),
  until: instant.optional(),
}
export const analyticsPeriod = z
  .strictObject({ range: analyticsRange.optional(), ...custom })
  .refine(({ range, since, until }) => range === undefined || (since ?? until) === undefined, {
    path: ['range'],
    message: 'cannot be given together with since and until',
  })
  .refine(({ since, until }) => (since === undefined) === (until === undefined), {
    path: ['until'],
    message: 'must be given together with since',
  })
  .refine(({ since, until }) => since === undefined || until === undefined || Date.parse(since) < Date.parse(until), {
    path: ['until'],
    message: 'must be after since',
  })
  .refine(
    ({ since, until }) =>
      since === undefined || until === undefined || Date.parse(until) - Date.parse(since) <= daysTogether * 86_400_000,
    { path: ['since'], message: `must be at most ${daysTogether} days before until` },
  )

export const getZoneAnalytics = endpoint({
  method: 'GET',
  path: '/cloudflare/zones/:id/analytics',
  permission: 'analytics.read',
  summary: 'Traffic of one domain, of the last 24 hours unless a range or a time is given',
  params: idParams,
  query: analyticsPeriod,
  response: zoneAnalytics,
  topics: ['domain_analytics'],
  isPersonal: true,
})

export const listAnalytics = endpoint({
  method: 'GET',
  path: '/cloudflare/analytics',
  permission: 'analytics.read',
  summary: 'Traffic of every domain by days, of the last 7 days unless a range is given',
  query: z.strictObject({ range: analyticsRange.exclude(['24h']).optional() }),
  response: z.array(zoneSeries),
  topics: ['domain_analytics'],
  isPersonal: true,
})
