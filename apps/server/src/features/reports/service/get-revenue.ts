import type { ResponseOf } from '@agency/contract/endpoint'
import type { getRevenueReport } from '@agency/contract/reports-revenue'
import type { RequestContext } from '../../../context.ts'
import { percentChange } from '../../../platform/percent-change.ts'
import { findRunningAnswers } from '../../monitoring/index.ts'
import { findTrafficOf } from '../../system-analytics/index.ts'
import { changeOf } from '../change.ts'
import { revenueDefinitions } from '../definitions.ts'
import { momentsOf, type RangeQuery, resolvePeriod } from '../period.ts'
import type { Part } from '../queries/bounds.ts'
import { findBridge, findMrrNow } from '../queries/bridge.ts'
import { findDeferred } from '../queries/deferred.ts'
import { findHeadline, findHome, findResponseTime } from '../queries/headline.ts'
import { findRevenue, type RevenueSum } from '../queries/revenue-sums.ts'
import { findSettlements, hasTransactions } from '../queries/settlements.ts'
import { findTopSites } from '../queries/top-sites.ts'
import { toBridges } from './to-bridges.ts'
import { toGrossToNet, toSettlements } from './to-settlements.ts'

type Report = ResponseOf<typeof getRevenueReport>

const longestByDay = 92
const topSites = 10

const revenueOf = ({ gross, refunds, disputes }: RevenueSum): number => gross - refunds - disputes

export const noTransactions =
  'No balance transactions yet. Allow the Stripe key to read them, then import again under System Config'

/** Growth is against the row before it, where both months are whole. */
function toMonths(
  months: readonly Part[],
  revenue: readonly number[],
  subscriptions: readonly number[],
): Report['months'] {
  return months.map(({ name, from, until, partial }, index) => {
    const [before, now] = [revenue[index - 1], revenue[index] ?? 0]
    const isComparable = before !== undefined && before > 0 && !partial && !months[index - 1]?.partial
    return {
      ...{ month: name, from, until, partial, revenue: now, subscriptions: subscriptions[index] ?? 0 },
      growth: isComparable ? percentChange(now, before) : null,
    }
  })
}

const daysOf = ({ first_day, last_day }: Report['period']['current']) => ({ first: first_day, last: last_day })

const noConversion = (hasBeacon: boolean): string => (hasBeacon ? 'No visits counted' : 'Needs the beacon on this site')

export async function getRevenue(ctx: RequestContext, query: RangeQuery): Promise<Report> {
  const { pool } = ctx
  const { period, bounds, days } = await resolvePeriod(ctx, query)
  const { current, compared } = period
  const months = momentsOf(bounds.months, bounds)
  const ends = months.slice(1)
  const home = await findHome(pool)
  const [byMonth, before, byDay, parts, now, settled, isSettled, deferred, headline, response, sites] =
    await Promise.all([
      findRevenue(pool, months),
      findRevenue(pool, [compared.from, compared.until]),
      days <= longestByDay ? findRevenue(pool, momentsOf(bounds.days, bounds)) : null,
      findBridge(pool, months),
      findMrrNow(pool),
      findSettlements(pool, months),
      hasTransactions(pool),
      findDeferred(pool, current.from, current.until),
      findHeadline(pool, [...ends, compared.until]),
      findRunningAnswers(ctx, ctx.clock()).then((running) =>
        findResponseTime(pool, { current: daysOf(current), compared: daysOf(compared) }, running),
      ),
      findTopSites(pool, { from: current.from, until: bounds.current.open, currency: home.currency, limit: topSites }),
    ])
  const traffic = await findTrafficOf(
    ctx,
    sites.map(({ site_id }) => site_id),
    { first: current.first_day, last: current.last_day },
  )
  const sumIn = (sums: readonly RevenueSum[], currency: string, part?: number): number =>
    sums
      .filter((sum) => sum.currency === currency && (part === undefined || sum.part === part))
      .reduce((total, sum) => total + revenueOf(sum), 0)
  const currencies = [...new Set([home.currency, ...[...byMonth, ...before].map(({ currency }) => currency)])]
  const revenue = bounds.months.map((_, index) => sumIn(byMonth, home.currency, index + 1))
  const at = (moment: string | undefined) => headline.find((one) => one.at === moment)
  const define = (figure: string) => revenueDefinitions.find((one) => one.figure === figure)?.text ?? ''
  const change = (currency: string) =>
    changeOf(sumIn(byMonth, currency), sumIn(before, currency), { definition: define('total_revenue') })
  return {
    period,
    currency: home.currency,
    headline: {
      total_revenue: change(home.currency),
      active_subscriptions: changeOf(
        at(bounds.current.open)?.subscriptions ?? 0,
        at(compared.until)?.subscriptions ?? 0,
        {
          definition: define('active_subscriptions'),
        },
      ),
      total_sites: changeOf(at(bounds.current.open)?.sites ?? 0, at(compared.until)?.sites ?? 0, {
        definition: define('total_sites'),
      }),
      avg_response_time: changeOf(response.current, response.compared, {
        definition: define('avg_response_time'),
        reason: 'No site answered the monitor in this range',
      }),
    },
    by_currency: currencies.map((currency) => ({ currency, revenue: change(currency) })),
    months: toMonths(
      bounds.months,
      revenue,
      ends.map((end) => at(end)?.subscriptions ?? 0),
    ),
    days:
      byDay && bounds.days.map(({ name }, index) => ({ day: name, revenue: sumIn(byDay, home.currency, index + 1) })),
    bridges: toBridges(bounds.months, parts, now, home.currency),
    gross_to_net: toGrossToNet(bounds.months, byMonth, isSettled ? settled : null, currencies),
    settlements: isSettled ? toSettlements(bounds.months, settled) : [],
    settlements_reason: isSettled ? null : noTransactions,
    deferred: deferred.map((sum) => ({ ...sum, recognized: sum.start + sum.added - sum.end })),
    top_sites: sites.map((site) => {
      const known = traffic.get(site.site_id)
      const [visits, conversion] = [known?.visits ?? null, known?.conversion ?? null]
      return {
        ...{ ...site, currency: home.currency, visits, conversion_rate: conversion },
        visits_reason: visits === null ? 'Visits of this site are not measured' : null,
        conversion_reason: conversion === null ? noConversion(known?.has_beacon ?? false) : null,
      }
    }),
    definitions: revenueDefinitions,
    as_of: home.as_of,
  }
}
