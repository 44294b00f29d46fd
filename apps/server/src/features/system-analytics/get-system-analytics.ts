import type { SystemAnalytics } from '@agency/contract/system-analytics'
import type { RequestContext } from '../../context.ts'
import { keepDays } from '../domain-analytics/index.ts'
import { findSitesDays, findWorstTimes, uptimeOf } from '../monitoring/index.ts'
import { type Days, daysOf, lastDays, namesOf } from './days.ts'
import { countActiveCustomers, findCustomerGrowth } from './queries/customers.ts'
import { findServerErrors, findSiteFacts } from './queries/score.ts'
import { countMeasured, findTopSites, findTrafficDays, type TrafficDay } from './queries/traffic.ts'
import { healthScore } from './score.ts'

const shownSites = 10

type Named = { site_id: string; site_name: string; value: string } | null
const worstWith = (found: Named, words: (value: string) => string) =>
  found && { site_id: found.site_id, site_name: found.site_name, measured: words(found.value) }

const spanWords = (seconds: number): string =>
  seconds < 5400 ? `${Math.max(1, Math.round(seconds / 60))} min down` : `${Math.round(seconds / 3600)} h down`

async function scoreIn(ctx: RequestContext, days: Days) {
  const now = ctx.clock()
  const [sites, errors, times, [worst]] = await Promise.all([
    findSiteFacts(ctx),
    findServerErrors(ctx, days),
    findSitesDays(ctx, days, now),
    findWorstTimes(ctx, days, now, 1),
  ])
  const uptime = uptimeOf(times)
  return healthScore({
    downShare: uptime === null ? null : 1 - uptime / 100,
    siteScore: sites.score,
    errorShare: errors.requests === 0 ? null : Math.min(1, errors.errors / errors.requests),
    health: sites,
    certificates: sites,
    worst: {
      uptime: worst
        ? { site_id: worst.site_id, site_name: worst.site_name, measured: spanWords(worst.down_seconds) }
        : null,
      speed: worstWith(sites.slowest, (value) => `score ${value}`),
      errors: worstWith(errors.worst, (value) => `${Number(value).toLocaleString('en-US')} server errors`),
      health: worstWith(sites.sickest, (value) => value),
      certificates: worstWith(sites.uncertified, (value) => `certificate ${value}`),
    },
  })
}

/** What is known of it; null where nothing is. */
function sumOf(days: readonly TrafficDay[], name: 'events' | 'visits'): number | null {
  const known = days.flatMap((day) => day[name] ?? [])
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

export async function getSystemAnalytics(
  ctx: RequestContext,
  query: { start_date?: string | undefined; end_date?: string | undefined },
): Promise<SystemAnalytics> {
  const now = ctx.clock()
  const days = daysOf(query, now)
  const month = lastDays(now, 30)
  const isMonth = days.first === month.first && days.last === month.last
  const kept = await keepDays(ctx)
  const [traffic, ofMonth, top, coverage, active, growth, { score, terms }] = await Promise.all([
    findTrafficDays(ctx, days),
    isMonth ? null : findTrafficDays(ctx, month),
    findTopSites(ctx, days, shownSites),
    countMeasured(ctx, days),
    countActiveCustomers(ctx),
    findCustomerGrowth(ctx, days),
    scoreIn(ctx, days),
  ])
  const known = new Map(traffic.map((day) => [day.day, day]))
  return {
    since: days.first,
    until: days.last,
    as_of: new Date(now).toISOString(),
    overview: {
      total_sites: coverage.sites,
      active_customers: active,
      total_events_30d: sumOf(ofMonth ?? traffic, 'events'),
      total_sessions_30d: sumOf(ofMonth ?? traffic, 'visits'),
      total_events: sumOf(traffic, 'events'),
      total_sessions: sumOf(traffic, 'visits'),
    },
    platform_metrics: {
      performance_score: score,
      score_terms: terms,
      daily_events: namesOf(days).map((date) => ({
        date,
        events: known.get(date)?.events ?? null,
        sessions: known.get(date)?.visits ?? null,
      })),
      customer_growth: growth,
    },
    top_sites: top,
    coverage: {
      sites_measured: coverage.measured,
      sites_with_beacon: coverage.beacons,
      days: namesOf(days).length,
      event_days: traffic.filter(({ events }) => events !== null).length,
      session_days: traffic.filter(({ visits }) => visits !== null).length,
      is_sampled: traffic.some(({ is_sampled }) => is_sampled),
      cloudflare_at: kept.readAt === null ? null : new Date(kept.readAt).toISOString(),
      is_cloudflare_connected: kept.isConnected,
    },
  }
}
