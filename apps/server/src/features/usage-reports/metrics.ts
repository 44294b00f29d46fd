import type { UsageMetric } from '@agency/contract/reports-usage'
import type { Builds, DomainsDay } from './queries/traffic.ts'
import { percentOf } from './range.ts'

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

const notKept = 'Cloudflare told of no day in this range'
const notSampled = 'The samples of Cloudflare’s plan reach no day in this range'
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
      ...{ key, metric, current, previous, unit, definition, change: percentOf(current, previous) },
      reason: current === null ? (name === 'visits' ? notSampled : notKept) : null,
      known_days: now.days.filter((day) => day[name] !== null).length,
    }
  }
}

const kept = 'of all domains, from the days that were kept of Cloudflare; today so far.'

const metrics: readonly ((now: Span, before: Span) => UsageMetric)[] = [
  ofDays(
    'visits',
    'Visits',
    'visits',
    'count',
    `Visits ${kept} Cloudflare counts them in its samples; visitors of several days are never added up.`,
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
      definition: `Requests that Cloudflare answered by itself, among all requests ${kept} Changes are in points.`,
      known_days: now.days.filter(({ cached_requests }) => cached_requests !== null).length,
    }
  },
  ({ builds: now }, { builds: before }) => ({
    ...{ key: 'deployments', metric: 'Deployments', unit: 'count', reason: null, known_days: null },
    ...{ current: now.deployments, previous: before.deployments },
    change: percentOf(now.deployments, before.deployments),
    definition: 'Deployments that began and ended, whatever came of them, by when they ended.',
  }),
  ({ builds: now }, { builds: before }) => ({
    ...{ key: 'build_minutes', metric: 'Build minutes', unit: 'minutes', reason: null, known_days: null },
    ...{ current: tenth(now.build_seconds / 60), previous: tenth(before.build_seconds / 60) },
    change: percentOf(now.build_seconds, before.build_seconds),
    definition: 'From the start to the end of these deployments.',
  }),
]

const storageMetric = (bytes: number | null): UsageMetric => ({
  ...{ key: 'storage', metric: 'Storage', unit: 'bytes', previous: null, change: null, known_days: null },
  current: bytes,
  reason: bytes === null ? 'No deployment has told its size' : null,
  definition: 'What the newest deployment of each site takes, now. Nothing is kept of earlier days.',
})

export const metricsOf = (now: Span, before: Span, storage: number | null): UsageMetric[] => [
  ...metrics.map((make) => make(now, before)),
  storageMetric(storage),
]
