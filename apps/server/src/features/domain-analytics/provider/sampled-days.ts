import { z } from 'zod'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import type { Bucket } from '../figures.ts'
import { dayMs } from '../period.ts'
import { amount, askZones, byZone, filterOf } from './ask.ts'
import { settleMs } from './traffic.ts'

const day = z.object({
  count: amount,
  avg: z.object({ sampleInterval: z.number().min(0) }),
  sum: z.object({ edgeResponseBytes: amount }),
  dimensions: z.object({ date: z.iso.date() }),
})

/** Where a plan does not count days, its samples tell requests and bytes; the rest is not known of them. */
function toBucket({ count, avg, sum, dimensions }: z.output<typeof day>, now: number): Bucket {
  const at = Date.parse(dimensions.date)
  return {
    at,
    requests: count,
    cached_requests: null,
    bytes: sum.edgeResponseBytes,
    cached_bytes: null,
    threats: null,
    page_views: null,
    unique_visitors: null,
    isPartial: now < at + dayMs + settleMs,
    isSampled: avg.sampleInterval > 1,
  }
}

/** As `askDays`, from the samples. */
export async function askSampledDays(
  gateway: CloudflareGateway,
  zoneIds: readonly string[],
  { since, until }: { since: number; until: number },
  now: number,
): Promise<Map<string, Bucket[]>> {
  const { declaration, filter, tag, variables } = filterOf(zoneIds)
  const end = Math.min(until + dayMs, now)
  const query = `query SampledDays(${declaration}, $since: Time!, $until: Time!) {
  viewer { zones(filter: ${filter}) { ${tag} httpRequestsAdaptiveGroups(limit: ${(until - since) / dayMs + 1}, filter: { datetime_geq: $since, datetime_lt: $until }, orderBy: [date_ASC]) { count avg { sampleInterval } sum { edgeResponseBytes } dimensions { date } } } }
}`
  const times = { since: new Date(since).toISOString(), until: new Date(end).toISOString() }
  const zones = await askZones(
    gateway,
    { query, variables: { ...variables, ...times } },
    z.object({ zoneTag: z.string().optional(), httpRequestsAdaptiveGroups: z.array(day) }),
  )
  const daysOf = (rows: readonly z.output<typeof day>[]) => rows.map((row) => toBucket(row, now))
  return new Map([...byZone(zoneIds, zones)].map(([id, zone]) => [id, daysOf(zone.httpRequestsAdaptiveGroups)]))
}
