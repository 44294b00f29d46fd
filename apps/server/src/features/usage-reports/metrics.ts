import type { UsageMetric } from '@agency/contract/reports-usage'
import { percentChange } from '../../platform/percent-change.ts'
import type { Builds, DomainsDay } from './queries/traffic.ts'

type Span = { days: readonly DomainsDay[]; builds: Builds }

type Sum = 'visits' | 'page_views' | 'requests' | 'bytes'

/** What the days of which it is known come to. */
function sumOf(days: readonly DomainsDay[], name: Sum): number | null {
  const known = days.flatMap((day) => day[name] ?? [])
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function cacheShare(days: readonly DomainsDay[]): number | null {
  const known = days.filter(({ cached_requests }) => cached_requests !== null)
  const requests = known.reduce((sum, day) => sum + day.requests, 0)
  const cached = known.reduce((sum, day) => sum + (day.cached_requests ?? 0), 0)
  return requests === 0 ? null : (100 * cached) / requests
}

const notKept = 'No Cloudflare data in this range'
const notSampled = 'No Cloudflare samples in this range'
const tenth = (value: number): number => Math.round(value * 10) / 10

function ofDays(
  key: UsageMetric['key'],
  metric: string,
  name: Sum,
  unit: UsageMetric['unit'],
  definition: string,
): (now: Span, before: Span) => UsageMetric {
  return (now, before) => {
    const [current, previous] = [sumOf(now.days, name), sumOf(before.days, name)]
    return {
      ...{ key, metric, current, previous, unit, definition, change: percentChange(current, previous) },
      reason: current === null ? (name === 'visits' ? notSampled : notKept) : null,
      known_days: now.days.filter((day) => day[name] !== null).length,
    }
  }
}

const kept = 'of all domains at Cloudflare; today so far.'

const metrics: readonly ((now: Span, before: Span) => UsageMetric)[] = [
  ofDays(
    'visits',
    'Visits',
    'visits',
    'count',
    `Visits ${kept} Counted in Cloudflare’s samples; visits, not unique visitors.`,
  ),
  ofDays('page_views', 'Page views', 'page_views', 'count', `Page views ${kept}`),
  ofDays('requests', 'Requests', 'requests', 'count', `Requests ${kept}`),
  ofDays('bandwidth', 'Bandwidth', 'bytes', 'bytes', `Bytes sent ${kept}`),
  (now, before) => {
    const [current, previous] = [cacheShare(now.days), cacheShare(before.days)]
    return {
      ...{ key: 'cache_share', metric: 'Cache share', current, previous, unit: 'percent' },
      change: current === null || previous === null ? null : tenth(current - previous),
      reason: current === null ? notKept : null,
      definition: `Requests answered from Cloudflare’s cache, among all requests ${kept} Changes in points.`,
      known_days: now.days.filter(({ cached_requests }) => cached_requests !== null).length,
    }
  },
  ({ builds: now }, { builds: before }) => ({
    ...{ key: 'deployments', metric: 'Deployments', unit: 'count', reason: null, known_days: null },
    ...{ current: now.deployments, previous: before.deployments },
    change: percentChange(now.deployments, before.deployments),
    definition: 'Finished deployments, successful or not, by end date.',
  }),
  ({ builds: now }, { builds: before }) => ({
    ...{ key: 'build_minutes', metric: 'Build minutes', unit: 'minutes', reason: null, known_days: null },
    ...{ current: tenth(now.build_seconds / 60), previous: tenth(before.build_seconds / 60) },
    change: percentChange(now.build_seconds, before.build_seconds),
    definition: 'From the start to the end of these deployments.',
  }),
]

const storageMetric = (bytes: number | null): UsageMetric => ({
  ...{ key: 'storage', metric: 'Storage', unit: 'bytes', previous: null, change: null, known_days: null },
  current: bytes,
  reason: bytes === null ? 'No deployment size known' : null,
  definition: 'Size of the newest deployment of each site, now. No history.',
})

export const metricsOf = (now: Span, before: Span, storage: number | null): UsageMetric[] => [
  ...metrics.map((make) => make(now, before)),
  storageMetric(storage),
]
