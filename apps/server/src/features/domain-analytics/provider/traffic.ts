import { z } from 'zod'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import type { Bucket } from '../figures.ts'
import { dateOf, dayMs, hourMs } from '../period.ts'
import { amount, askZones, byZone, filterOf } from './ask.ts'

const figures = `sum { requests cachedRequests bytes cachedBytes threats pageViews } uniq { uniques }`

const group = z.object({
  sum: z.object({
    requests: amount,
    cachedRequests: amount,
    bytes: amount,
    cachedBytes: amount,
    threats: amount,
    pageViews: amount,
  }),
  uniq: z.object({ uniques: amount }),
})
const day = z.object({ ...group.shape, dimensions: z.object({ date: z.iso.date() }) })
const hour = z.object({ ...group.shape, dimensions: z.object({ datetime: z.iso.datetime() }) })

function toBucket({ sum, uniq }: z.output<typeof group>, at: number, isPartial: boolean): Bucket {
  return {
    at,
    requests: sum.requests,
    cached_requests: sum.cachedRequests,
    bytes: sum.bytes,
    cached_bytes: sum.cachedBytes,
    threats: sum.threats,
    page_views: sum.pageViews,
    unique_visitors: uniq.uniques,
    isPartial,
    isSampled: false,
  }
}

/** An answer that tells a time twice tells it once. */
const once = (buckets: readonly Bucket[]): Bucket[] => [...new Map(buckets.map((each) => [each.at, each])).values()]

/** A day's figures still grow for a while after it is over. */
export const settleMs = hourMs

/** The days from `since` to `until`, both included. Up to ten zones; the ones without access are not in the answer. */
export async function askDays(
  gateway: CloudflareGateway,
  zoneIds: readonly string[],
  { since, until }: { since: number; until: number },
  now: number,
): Promise<Map<string, Bucket[]>> {
  const { declaration, filter, tag, variables } = filterOf(zoneIds)
  const limit = (until - since) / dayMs + 1
  const query = `query Days(${declaration}, $since: Date!, $until: Date!) {
  viewer { zones(filter: ${filter}) { ${tag} httpRequests1dGroups(limit: ${limit}, filter: { date_geq: $since, date_leq: $until }, orderBy: [date_ASC]) { dimensions { date } ${figures} } } }
}`
  const zones = await askZones(
    gateway,
    { query, variables: { ...variables, since: dateOf(since), until: dateOf(until) } },
    z.object({ zoneTag: z.string().optional(), httpRequests1dGroups: z.array(day) }),
  )
  const bucketsOf = (days: readonly z.output<typeof day>[]) =>
    days
      .map((each) => ({ each, at: Date.parse(each.dimensions.date) }))
      .filter(({ at }) => at >= since && at <= until)
      .map(({ each, at }) => toBucket(each, at, now < at + dayMs + settleMs))
  return new Map([...byZone(zoneIds, zones)].map(([id, zone]) => [id, once(bucketsOf(zone.httpRequests1dGroups))]))
}

/** The hours of a time; null when the token may not read them. */
export async function askHours(
  gateway: CloudflareGateway,
  zoneId: string,
  { since, until }: { since: number; until: number },
  now: number,
): Promise<Bucket[] | null> {
  const query = `query Hours($zone: string!, $since: Time!, $until: Time!) {
  viewer { zones(filter: { zoneTag: $zone }) { httpRequests1hGroups(limit: ${(until - since) / hourMs + 1}, filter: { datetime_geq: $since, datetime_lt: $until }, orderBy: [datetime_ASC]) { dimensions { datetime } ${figures} } } }
}`
  const variables = { zone: zoneId, since: new Date(since).toISOString(), until: new Date(until).toISOString() }
  const [zone] = await askZones(gateway, { query, variables }, z.object({ httpRequests1hGroups: z.array(hour) }))
  if (!zone) return null
  return once(
    zone.httpRequests1hGroups
      .map((each) => ({ each, at: Date.parse(each.dimensions.datetime) }))
      .filter(({ at }) => at >= since && at < until)
      .map(({ each, at }) => toBucket(each, at, now < at + hourMs)),
  )
}
