import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { incidentSeverity } from './monitoring.ts'
import { count, idParams, instant } from './primitives.ts'
import { healthStatus } from './site.ts'

/** One look at a site from the console's own machine. Times are milliseconds; null: it did not get that far. */
export const probeRun = z.object({
  at: instant,
  /** failed: no answer, or one that says that the site does not work. */
  outcome: z.enum(['ok', 'slow', 'refused', 'failed']),
  /** What was found, in words. */
  detail: z.string(),
  /** Where the answer came from, after redirects. */
  url: z.string(),
  redirects: count,
  status_code: z.int().nullable(),
  bytes: count.nullable(),
  dns_ms: z.number().nullable(),
  connect_ms: z.number().nullable(),
  tls_ms: z.number().nullable(),
  /** From the request to the first byte of its answer. */
  ttfb_ms: z.number().nullable(),
  download_ms: z.number().nullable(),
  /** All of it, from the first name that was looked up. */
  total_ms: z.number().nullable(),
})
export type ProbeRun = z.output<typeof probeRun>

/** The certificate that the site's domain shows, as it was seen last. */
export const siteCertificate = z.object({
  seen_at: instant,
  subject: z.string(),
  issuer: z.string(),
  names: z.array(z.string()),
  valid_from: instant,
  valid_to: instant,
  /** Whole days until it ends; negative once it has. */
  days_left: z.int(),
  is_trusted: z.boolean(),
  /** Why it is not trusted, in words. */
  problem: z.string().nullable(),
})
export type SiteCertificate = z.output<typeof siteCertificate>

export const performanceRanges = ['24h', '7d', '30d', '90d'] as const
export type PerformanceRange = (typeof performanceRanges)[number]

export const performancePoint = z.object({
  at: instant,
  probes: count,
  failures: count,
  /** Medians of the probes that were answered; null where none was. */
  response_ms: z.number().nullable(),
  ttfb_ms: z.number().nullable(),
  /** The last score of the span. */
  score: z.int().nullable(),
})
export type PerformancePoint = z.output<typeof performancePoint>

export const sitePerformance = z.object({
  site_id: z.string(),
  range: z.enum(performanceRanges),
  since: instant,
  until: instant,
  bucket_seconds: count,
  /** How often the site is looked at. */
  interval_seconds: count,
  health: z.object({ status: healthStatus, detail: z.string().nullable(), checked_at: instant.nullable() }),
  /** The last look is older than two intervals: nothing is known of the site now. */
  is_stale: z.boolean(),
  response_ms: z.number().nullable(),
  score: z.int().nullable(),
  scored_at: instant.nullable(),
  uptime: z.object({
    /** Of the time that is known; null where none is. */
    percent: z.number().nullable(),
    known_seconds: count,
    down_seconds: count,
    /** Neither known nor maintenance. */
    unknown_seconds: count,
    maintenance_seconds: count,
  }),
  /** Spans without a probe are left out. */
  series: z.array(performancePoint),
  /** Newest last. */
  deployments: z.array(
    z.object({ id: z.string(), at: instant, kind: z.string(), status: z.string(), version: z.string().nullable() }),
  ),
  /** Those that overlap the range, oldest first; false positives are marked. */
  incidents: z.array(
    z.object({
      id: z.string(),
      number: count,
      title: z.string(),
      severity: incidentSeverity,
      opened_at: instant,
      resolved_at: instant.nullable(),
      is_false_positive: z.boolean(),
    }),
  ),
  last: probeRun.nullable(),
  certificate: siteCertificate.nullable(),
})
export type SitePerformance = z.output<typeof sitePerformance>

export const getSitePerformance = endpoint({
  method: 'GET',
  path: '/sites/:id/performance',
  permission: 'sites.read',
  summary: 'What was measured of a site: response times, uptime, score, certificate, and its deployments beside them',
  params: idParams,
  query: z.strictObject({ range: z.enum(performanceRanges).default('24h') }),
  response: z.object({ performance: sitePerformance }),
  topics: ['sites', 'deployments', 'incidents'],
  isPersonal: true,
})

export const probeSite = endpoint({
  method: 'POST',
  path: '/sites/:id/probe',
  permission: 'sites.write',
  summary: 'Look at a site now',
  params: idParams,
  response: z.object({ run: probeRun, health: healthStatus }),
})
