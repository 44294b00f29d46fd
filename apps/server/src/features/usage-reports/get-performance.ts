import type { reportsUsage } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { Change } from '@agency/contract/types'
import type { RequestContext } from '../../context.ts'
import { percentChange } from '../../platform/percent-change.ts'
import { keepDays } from '../domain-analytics/index.ts'
import { findSitesDays, type SitesDay, uptimeOf } from '../monitoring/index.ts'
import { definitions } from './definitions.ts'
import { type DomainsDay, findDomainsDays } from './queries/traffic.ts'
import { daysIn, resolveRange } from './range.ts'

type Answer = ResponseOf<typeof reportsUsage.getPerformanceReport>

const notMonitored = 'No checks in this range'
const notKept = 'No Cloudflare data in this range'
const notSampled = 'No Cloudflare samples in this range'

const wordsOf = (figure: string): string =>
  definitions.performance.find((definition) => definition.figure === figure)?.text ?? ''

/** Each day counts by the checks that were answered on it. */
function meanResponse(days: readonly SitesDay[]): number | null {
  const known = days.flatMap(({ response_ms, answered }) => (response_ms === null ? [] : [{ response_ms, answered }]))
  const looks = known.reduce((sum, { answered }) => sum + answered, 0)
  return looks === 0 ? null : known.reduce((sum, day) => sum + day.response_ms * day.answered, 0) / looks
}

function sumOf(days: readonly DomainsDay[], name: 'requests' | 'server_errors'): number | null {
  const known = days.flatMap((day) => day[name] ?? [])
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

const changeOf = (figure: string, current: number | null, compared: number | null, reason: string): Change => ({
  ...{ current, compared, definition: wordsOf(figure) },
  percent: percentChange(current, compared),
  reason: current === null ? reason : null,
})

export async function getPerformance(
  ctx: RequestContext,
  query: QueryOf<typeof reportsUsage.getPerformanceReport>,
): Promise<Answer> {
  const now = ctx.clock()
  const { days, compared, period } = resolveRange(query, now)
  await keepDays(ctx)
  const [sites, sitesBefore, domains, domainsBefore] = await Promise.all([
    findSitesDays(ctx, days, now),
    findSitesDays(ctx, compared, now),
    findDomainsDays(ctx, days),
    findDomainsDays(ctx, compared),
  ])
  const siteDay = new Map(sites.map((day) => [day.day, day]))
  const domainDay = new Map(domains.map((day) => [day.day, day]))
  return {
    period,
    rows: daysIn(days).map((date) => {
      const seen = siteDay.get(date)
      return {
        date,
        response_time: seen?.response_ms ?? null,
        uptime: seen ? uptimeOf([seen]) : null,
        requests: domainDay.get(date)?.requests ?? null,
        errors: domainDay.get(date)?.server_errors ?? null,
      }
    }),
    uptime: changeOf('Uptime', uptimeOf(sites), uptimeOf(sitesBefore), notMonitored),
    response_time: changeOf('Response time', meanResponse(sites), meanResponse(sitesBefore), notMonitored),
    requests: changeOf('Requests', sumOf(domains, 'requests'), sumOf(domainsBefore, 'requests'), notKept),
    errors: changeOf('Errors', sumOf(domains, 'server_errors'), sumOf(domainsBefore, 'server_errors'), notSampled),
    definitions: definitions.performance,
    as_of: new Date(now).toISOString(),
  }
}
