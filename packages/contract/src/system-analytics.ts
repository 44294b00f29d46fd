import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, instant } from './primitives.ts'

/** What is not known is null. */
const events = count.nullable()
const points = z.number().min(0).max(100)

export const scoreTermKeys = ['uptime', 'speed', 'errors', 'health', 'certificates'] as const
export type ScoreTermKey = (typeof scoreTermKeys)[number]

export const scoreTerm = z.object({
  key: z.enum(scoreTermKeys),
  label: z.string(),
  /** How it becomes points, in words. */
  definition: z.string(),
  /** Percent of the whole; the weights of what is not known are spread over the others. */
  weight: z.number(),
  /** 0 to 100; null: not measured. */
  points: points.nullable(),
  /** What was measured, in words. */
  measured: z.string().nullable(),
  /** So many points of the score are lost by it. */
  lost: z.number().min(0).nullable(),
  /** The site that costs the most of them. */
  worst: z.object({ site_id: z.string(), site_name: z.string(), measured: z.string() }).nullable(),
})
export type ScoreTerm = z.output<typeof scoreTerm>

export const topSite = z.object({
  site_id: z.string(),
  site_name: z.string(),
  domain: z.string(),
  /** Visits: visitors of several days are never added up. */
  visitors: events,
  /** Page views, and the goals that a beacon counted. */
  events,
  /** Events per visitor, over the days of which both are known. */
  engagement: z.number().nullable(),
  /** On how many days of the range each is known. */
  visitor_days: count,
  event_days: count,
  /** Where its figures come from. */
  source: z.enum(['beacon', 'cloudflare', 'both']),
  is_sampled: z.boolean(),
})
export type TopSite = z.output<typeof topSite>

export const systemAnalytics = z.object({
  /** The first and the last day (UTC), both included. */
  since: z.iso.date(),
  until: z.iso.date(),
  as_of: instant,
  overview: z.object({
    total_sites: count,
    /** null until the first import from Stripe is complete. */
    active_customers: count.nullable(),
    /** Of the last 30 days, whatever the range. */
    total_events_30d: events,
    total_sessions_30d: events,
    /** Of the range. */
    total_events: events,
    total_sessions: events,
  }),
  platform_metrics: z.object({
    performance_score: points.nullable(),
    score_terms: z.array(scoreTerm),
    /** A day of which nothing is known has no events. */
    daily_events: z.array(z.object({ date: z.iso.date(), events, sessions: events })),
    /** How many customers there were at the end of each day; none until the first import is complete. */
    customer_growth: z.array(z.object({ date: z.iso.date(), customers: count })),
  }),
  /** The ten with the most events, first. */
  top_sites: z.array(topSite),
  /** How much of it is known. */
  coverage: z.object({
    sites_measured: count,
    sites_with_beacon: count,
    days: count,
    event_days: count,
    session_days: count,
    is_sampled: z.boolean(),
    /** When Cloudflare was last read; null: never, or it is not connected. */
    cloudflare_at: instant.nullable(),
    is_cloudflare_connected: z.boolean(),
  }),
})
export type SystemAnalytics = z.output<typeof systemAnalytics>

export const longestRangeDays = 400
const oldest = '2000-01-01'

export const getSystemAnalytics = endpoint({
  method: 'GET',
  path: '/admin/analytics/system',
  permission: 'analytics.read',
  summary: 'Sites, customers, events and sessions of the whole platform, of the last 30 days unless a time is given',
  query: z
    .strictObject({
      /** Days (UTC), both included. */
      start_date: z.iso.date().optional(),
      end_date: z.iso.date().optional(),
    })
    .refine(({ start_date: start, end_date: end }) => (start === undefined) === (end === undefined), {
      path: ['end_date'],
      message: 'must be given together with start_date',
    })
    .refine(({ start_date: start = '', end_date: end = '' }) => start <= end, {
      path: ['end_date'],
      message: 'must not be before start_date',
    })
    .refine(({ start_date: start = oldest }) => start >= oldest, {
      path: ['start_date'],
      message: `must not be before ${oldest}`,
    })
    .refine(
      ({ start_date: start, end_date: end }) =>
        start === undefined || end === undefined || Date.parse(end) - Date.parse(start) < longestRangeDays * 86_400_000,
      { path: ['start_date'], message: `must be at most ${longestRangeDays} days before end_date` },
    ),
  response: z.object({ success: z.literal(true), data: systemAnalytics }),
  tellsSuccess: true,
  topics: ['domain_analytics', 'sites', 'customers'],
  isPersonal: true,
})

export const exportSystemAnalytics = endpoint({
  method: 'POST',
  path: '/admin/analytics/export',
  permission: 'analytics.read',
  summary: 'Make a file of the system analytics; waits up to ten seconds for its link',
  body: z.strictObject({
    format: z.enum(['csv', 'json']),
    report_type: z.literal('system_overview'),
    /** Days (UTC), both included. */
    date_range: z.strictObject({ start_date: z.iso.date(), end_date: z.iso.date() }),
  }),
  response: z.object({
    success: z.literal(true),
    data: z.object({
      /** Signed, needs no key, and lives ten minutes; null while it takes longer: then it shows under exports. */
      download_url: z.string().nullable(),
      export_id: z.string(),
    }),
  }),
  tellsSuccess: true,
})
