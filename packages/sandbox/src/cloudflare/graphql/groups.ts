import type { DatasetName } from './plans.ts'
import { type ShareName, shareNames, sharesOf } from './shares.ts'
import type { Span } from './span.ts'
import { type Character, type Hour, hourMs, trafficOf, uniquesOf } from './traffic.ts'

/** One row of a dataset with all that could be asked of it. */
export type Group = {
  dimensions: Record<string, string | number>
  sum: Record<string, number>
  uniq: Record<string, number>
  avg: Record<string, number>
  count: number
}

export const fieldsOf: Record<DatasetName, Record<string, readonly string[]>> = {
  httpRequests1dGroups: {
    dimensions: ['date'],
    sum: ['requests', 'cachedRequests', 'bytes', 'cachedBytes', 'threats', 'pageViews'],
    uniq: ['uniques'],
  },
  httpRequests1hGroups: {
    dimensions: ['date', 'datetime'],
    sum: ['requests', 'cachedRequests', 'bytes', 'cachedBytes', 'threats', 'pageViews'],
    uniq: ['uniques'],
  },
  httpRequestsAdaptiveGroups: {
    dimensions: ['date', 'datetimeHour', ...shareNames],
    sum: ['visits', 'edgeResponseBytes'],
    avg: ['sampleInterval'],
    count: [],
  },
}

const instant = (hour: number) => new Date(hour * hourMs).toISOString().replace('.000Z', 'Z')
const dateOf = (hour: number) => instant(hour).slice(0, 10)

function hoursIn(character: Character, { since, until }: Span, createdAt: number, isSampled: boolean): Hour[] {
  const begin = Math.max(since, createdAt)
  const first = isSampled ? Math.floor(begin / hourMs) : Math.ceil(since / hourMs)
  const hours: Hour[] = []
  for (let hour = Math.max(first, Math.floor(createdAt / hourMs)); hour * hourMs < until; hour++) {
    const from = isSampled ? Math.max(begin, hour * hourMs) : hour * hourMs
    hours.push(trafficOf(character, hour, Math.min(1, (Math.min(until, (hour + 1) * hourMs) - from) / hourMs)))
  }
  return hours
}

const total = (hours: readonly Hour[], name: Exclude<keyof Hour, 'hour'>) =>
  hours.reduce((sum, hour) => sum + hour[name], 0)

function aggregate(hours: readonly Hour[], dimensions: Group['dimensions']): Group {
  const names = ['requests', 'cachedRequests', 'bytes', 'cachedBytes', 'threats', 'pageViews'] as const
  const sum = Object.fromEntries(names.map((name) => [name, total(hours, name)]))
  return { dimensions, sum, uniq: { uniques: uniquesOf(hours) }, avg: {}, count: sum['requests'] ?? 0 }
}

/** The busier the time, the fewer requests are looked at; each stands for as many as were passed over. */
const intervalOf = (requests: number) => (requests < 3000 ? 1 : requests < 60_000 ? 10 : 100)

function sampled(group: Group, character: Character, wanted: readonly ShareName[]): Group[] {
  const interval = intervalOf(group.count)
  const visits = Math.round(group.count * character.viewsPerRequest * 0.6)
  let parts: { dimensions: Group['dimensions']; share: number }[] = [{ dimensions: group.dimensions, share: 1 }]
  for (const name of wanted) {
    parts = parts.flatMap((part) =>
      sharesOf(name, character).map(({ value, share }) => ({
        dimensions: { ...part.dimensions, [name]: value },
        share: part.share * share,
      })),
    )
  }
  const seen = (count: number) => Math.round(count / interval) * interval
  return parts
    .map(({ dimensions, share }) => ({
      dimensions,
      count: seen(group.count * share),
      sum: {
        visits: seen(visits * share),
        edgeResponseBytes: Math.round((group.sum['bytes'] ?? 0) * share),
      },
      uniq: {},
      avg: { sampleInterval: interval },
    }))
    .filter(({ count }) => count > 0)
}

const timeNames: Record<string, (hour: number) => string> = { date: dateOf, datetime: instant, datetimeHour: instant }

export function groupsOf(
  dataset: DatasetName,
  source: { character: Character; createdAt: number },
  span: Span,
  dimensions: readonly string[],
): Group[] {
  const isSampled = dataset === 'httpRequestsAdaptiveGroups'
  const { character } = source
  const hours = hoursIn(character, span, source.createdAt, isSampled)
  if (hours.length === 0) return []
  const times = dimensions.filter((name) => name in timeNames)
  const byTime = new Map<string, { values: Group['dimensions']; hours: Hour[] }>()
  for (const hour of hours) {
    const values = Object.fromEntries(times.map((name) => [name, timeNames[name]?.(hour.hour) ?? '']))
    const key = Object.values(values).join('|')
    const found = byTime.get(key) ?? { values, hours: [] }
    found.hours.push(hour)
    byTime.set(key, found)
  }
  const groups = [...byTime.values()].map(({ values, hours: own }) => aggregate(own, values))
  if (!isSampled) return groups
  const wanted = shareNames.filter((name) => dimensions.includes(name))
  return groups.flatMap((group) => sampled(group, character, wanted))
}
