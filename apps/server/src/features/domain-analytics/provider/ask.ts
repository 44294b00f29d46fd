import { z } from 'zod'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'

export const amount = z.number().min(0).transform(Math.round)

/** The zones of an answer; one that the token may not read is not among them. */
export async function askZones<Zone extends z.ZodType>(
  gateway: CloudflareGateway,
  question: { query: string; variables: Record<string, unknown> },
  zone: Zone,
): Promise<z.output<Zone>[]> {
  const data = await gateway.graphql(question.query, question.variables)
  const answer = z.object({ viewer: z.object({ zones: z.array(zone) }) }).safeParse(data)
  if (answer.success) return answer.data.viewer.zones
  const place = answer.error.issues[0]?.path.map(String).join('.') ?? ''
  throw new CloudflareError('bad_answer', `Cloudflare API error: its analytics answer is not as agreed (${place})`)
}

/** Several zones in one question say which they are; of one alone it is known. */
export const filterOf = (zoneIds: readonly string[]) =>
  zoneIds.length === 1
    ? { declaration: '$zone: string!', filter: '{ zoneTag: $zone }', tag: '', variables: { zone: zoneIds[0] } }
    : {
        declaration: '$zones: [string!]!',
        filter: '{ zoneTag_in: $zones }',
        tag: 'zoneTag',
        variables: { zones: zoneIds },
      }

/** By zone; `undefined` for those that the token may not read. */
export function byZone<Zone extends { zoneTag?: string | undefined }>(
  zoneIds: readonly string[],
  zones: readonly Zone[],
): Map<string, Zone> {
  const [only] = zoneIds
  if (zoneIds.length === 1 && only !== undefined) return new Map(zones.slice(0, 1).map((zone) => [only, zone]))
  return new Map(zones.flatMap((zone) => (zone.zoneTag === undefined ? [] : [[zone.zoneTag, zone] as const])))
}
