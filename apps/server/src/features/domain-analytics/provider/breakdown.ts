import type { AnalyticsError } from '@agency/contract/types'
import { z } from 'zod'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { failureOf } from '../failure.ts'
import { dateOf, type Period } from '../period.ts'
import { amount, askZones } from './ask.ts'

type Span = { since: number; until: number }
/** What is asked beside the series; a time that the plan does not give is null. */
export type BreakdownSpans = {
  step: Period['step']
  visitors: Span | null
  visitorsNow: Span | null
  visitorsBefore: Span | null
  samples: Span | null
}

const rows = <Dimension extends z.ZodRawShape>(dimensions: Dimension) =>
  z.array(
    z.object({
      count: amount,
      avg: z.object({ sampleInterval: z.number().min(0) }),
      sum: z.object({ edgeResponseBytes: amount }),
      dimensions: z.object(dimensions),
    }),
  )
const uniques = z.array(z.object({ uniq: z.object({ uniques: amount }) }))

const answered = z
  .object({
    visitors: uniques,
    visitorsNow: uniques,
    visitorsBefore: uniques,
    paths: rows({ clientRequestPath: z.string() }),
    countries: rows({ clientCountryName: z.string() }),
    statuses: rows({ edgeResponseStatus: z.int() }),
  })
  .partial()
type Answered = z.output<typeof answered>
type PartName = keyof Answered
type Part = { name: PartName; text: string }

const listed = 10

function visitorsPart(name: PartName, step: Period['step'], { since, until }: Span): Part {
  const [dataset, filter] =
    step === 'day'
      ? ['httpRequests1dGroups', `date_geq: "${dateOf(since)}", date_leq: "${dateOf(until - 1)}"`]
      : [
          'httpRequests1hGroups',
          `datetime_geq: "${new Date(since).toISOString()}", datetime_lt: "${new Date(until).toISOString()}"`,
        ]
  return { name, text: `${name}: ${dataset}(limit: 1, filter: { ${filter} }) { uniq { uniques } }` }
}

function samplesPart(name: PartName, dimension: string, { since, until }: Span): Part {
  const filter = `datetime_geq: "${new Date(since).toISOString()}", datetime_lt: "${new Date(until).toISOString()}"`
  return {
    name,
    text: `${name}: httpRequestsAdaptiveGroups(limit: ${listed}, filter: { ${filter} }, orderBy: [count_DESC]) { count avg { sampleInterval } sum { edgeResponseBytes } dimensions { ${dimension} } }`,
  }
}

function partsOf({ step, samples, ...spans }: BreakdownSpans): Part[] {
  const visitors = (['visitors', 'visitorsNow', 'visitorsBefore'] as const).flatMap((name) => {
    const span = spans[name]
    return span ? [visitorsPart(name, step, span)] : []
  })
  if (!samples) return visitors
  return [
    ...visitors,
    samplesPart('paths', 'clientRequestPath', samples),
    samplesPart('countries', 'clientCountryName', samples),
    samplesPart('statuses', 'edgeResponseStatus', samples),
  ]
}

/** null when the token may not read the zone. */
async function askParts(gateway: CloudflareGateway, zoneId: string, parts: readonly Part[]): Promise<Answered | null> {
  const query = `query Breakdown($zone: string!) {
  viewer { zones(filter: { zoneTag: $zone }) { ${parts.map(({ text }) => text).join('\n')} } }
}`
  const asked = parts.map(({ name }) => name)
  const whole = answered.refine((zone) => asked.every((name) => zone[name] !== undefined))
  const [zone] = await askZones(gateway, { query, variables: { zone: zoneId } }, whole)
  return zone ?? null
}

/** The plan's no to a part, which says nothing of the other parts; anything else is thrown on. */
function refusalOf(error: unknown): AnalyticsError {
  const failure = failureOf(error)
  if (failure.code !== 'no_access' && failure.code !== 'refused_range') throw error
  return failure
}

export type Breakdown = { answer: Answered; failures: Partial<Record<PartName, AnalyticsError>> }

async function askOneByOne(gateway: CloudflareGateway, zoneId: string, parts: readonly Part[]): Promise<Breakdown> {
  const result: Breakdown = { answer: {}, failures: {} }
  let refusal: unknown
  for (const part of parts) {
    try {
      Object.assign(result.answer, await askParts(gateway, zoneId, [part]))
    } catch (error) {
      refusal = error
      result.failures[part.name] = refusalOf(error)
    }
  }
  if (Object.keys(result.answer).length === 0) throw refusal
  return result
}

/**
 * One question for all; where the plan refuses a part, each part is asked alone and says for itself why not. null when
 * the token may not read the zone.
 */
export async function askBreakdown(
  gateway: CloudflareGateway,
  zoneId: string,
  spans: BreakdownSpans,
): Promise<Breakdown | null> {
  const parts = partsOf(spans)
  if (parts.length === 0) return { answer: {}, failures: {} }
  try {
    const answer = await askParts(gateway, zoneId, parts)
    return answer && { answer, failures: {} }
  } catch (error) {
    refusalOf(error)
    return await askOneByOne(gateway, zoneId, parts)
  }
}
