import { z } from 'zod'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { askZones, byZone, filterOf } from './ask.ts'

const seconds = z.number().min(0)
const dataset = z.object({ enabled: z.boolean(), maxDuration: seconds, notOlderThan: seconds })

/** What the plan gives of each dataset: how far back, and how much in one query, in seconds. */
export const planLimits = z.object({ days: dataset, hours: dataset, samples: dataset })
export type PlanLimits = z.output<typeof planLimits>
export type DatasetLimits = PlanLimits[keyof PlanLimits]

const day = 86_400
const common = (daysPerQuery: number, daysBack: number) => ({
  enabled: true,
  maxDuration: daysPerQuery * day,
  notOlderThan: daysBack * day,
})
/** What the smallest plan gives: where the limits cannot be read, nothing more is asked for. */
export const smallestLimits: PlanLimits = { days: common(31, 31), hours: common(3, 3), samples: common(1, 7) }

const answered = z.object({
  httpRequests1dGroups: dataset,
  httpRequests1hGroups: dataset,
  httpRequestsAdaptiveGroups: dataset,
})
/** Where days come from: counted, or of the samples where the plan does not count them. */
export const daysDataset = ({ days, samples }: PlanLimits): DatasetLimits => (days.enabled ? days : samples)

const part = '{ enabled maxDuration notOlderThan }'

/** Up to ten zones; those that the token may not read are not in the answer. */
export async function askLimits(
  gateway: CloudflareGateway,
  zoneIds: readonly string[],
): Promise<Map<string, PlanLimits>> {
  const { declaration, filter, tag, variables } = filterOf(zoneIds)
  const query = `query Limits(${declaration}) {
  viewer { zones(filter: ${filter}) { ${tag} settings { httpRequests1dGroups ${part} httpRequests1hGroups ${part} httpRequestsAdaptiveGroups ${part} } } }
}`
  const zones = await askZones(
    gateway,
    { query, variables },
    z.object({ zoneTag: z.string().optional(), settings: answered }),
  )
  return new Map(
    [...byZone(zoneIds, zones)].map(([id, { settings }]) => [
      id,
      {
        days: settings.httpRequests1dGroups,
        hours: settings.httpRequests1hGroups,
        samples: settings.httpRequestsAdaptiveGroups,
      },
    ]),
  )
}
