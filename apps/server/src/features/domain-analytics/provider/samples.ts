import { z } from 'zod'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { dayMs } from '../period.ts'
import { amount, askZones, byZone, filterOf } from './ask.ts'
import { settleMs } from './traffic.ts'

/** What only the samples tell of a day. */
export type SampledDay = {
  at: number
  visits: number
  /** Answers of 500 and above. */
  serverErrors: number
  /** One request in so many was looked at. */
  interval: number
  isComplete: boolean
}

const group = z.object({
  count: amount,
  avg: z.object({ sampleInterval: z.number().min(0) }),
  sum: z.object({ visits: amount }),
  dimensions: z.object({ date: z.iso.date(), edgeResponseStatus: z.int() }),
})
type Group = z.output<typeof group>

/** More kinds of answers than these a day does not have. */
const statusesADay = 100
const mostRows = 10_000

function toDays(groups: readonly Group[], { since, until }: Span, now: number): SampledDay[] {
  const byDay = Map.groupBy(groups, ({ dimensions }) => Date.parse(dimensions.date))
  const days: SampledDay[] = []
  for (let at = since; at <= until; at += dayMs) {
    const own = byDay.get(at) ?? []
    days.push({
      at,
      visits: own.reduce((sum, { sum: { visits } }) => sum + visits, 0),
      serverErrors: own.reduce((sum, each) => sum + (each.dimensions.edgeResponseStatus >= 500 ? each.count : 0), 0),
      interval: Math.max(1, ...own.map(({ avg }) => avg.sampleInterval)),
      isComplete: now >= at + dayMs + settleMs,
    })
  }
  return days
}

type Span = { since: number; until: number }

/** The days from `since` to `until`, both included, of up to ten zones; those without access are not in the answer. */
export async function askSamples(
  gateway: CloudflareGateway,
  zoneIds: readonly string[],
  span: Span,
  now: number,
): Promise<Map<string, SampledDay[]>> {
  const { declaration, filter, tag, variables } = filterOf(zoneIds)
  const rows = Math.min(mostRows, ((span.until - span.since) / dayMs + 1) * statusesADay)
  const query = `query Samples(${declaration}, $since: Time!, $until: Time!) {
  viewer { zones(filter: ${filter}) { ${tag} httpRequestsAdaptiveGroups(limit: ${rows}, filter: { datetime_geq: $since, datetime_lt: $until }, orderBy: [date_ASC]) { count avg { sampleInterval } sum { visits } dimensions { date edgeResponseStatus } } } }
}`
  const times = {
    since: new Date(span.since).toISOString(),
    until: new Date(Math.min(span.until + dayMs, now)).toISOString(),
  }
  const zones = await askZones(
    gateway,
    { query, variables: { ...variables, ...times } },
    z.object({ zoneTag: z.string().optional(), httpRequestsAdaptiveGroups: z.array(group) }),
  )
  return new Map(
    [...byZone(zoneIds, zones)].map(([id, zone]) => [id, toDays(zone.httpRequestsAdaptiveGroups, span, now)]),
  )
}
