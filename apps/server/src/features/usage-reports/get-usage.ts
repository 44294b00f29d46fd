import type { reportsUsage } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { ProfitTotals, UsageSite } from '@agency/contract/reports-usage'
import type { RequestContext } from '../../context.ts'
import { keepDays } from '../domain-analytics/index.ts'
import { hasTransactions, noTransactions } from '../reports/index.ts'
import { definitions } from './definitions.ts'
import { metricsOf } from './metrics.ts'
import { findUsagePage, type Profit, type UsageRow } from './queries/sites.ts'
import { findBuilds, findDomainsDays, findStorage } from './queries/traffic.ts'
import { countDays, type Days, daysIn, resolveRange } from './range.ts'

const noBilling = 'This needs the permission billing.read'

/** Why money is left out; null where it is shown. */
async function moneyReason({ actor, pool }: RequestContext): Promise<string | null> {
  if (!actor.permissions.has('billing.read')) return noBilling
  return (await hasTransactions(pool)) ? null : noTransactions
}

function hostingReason({ config }: RequestContext): string | null {
  const { hostingSiteMonth, hostingTrafficGb, hostingStorageGbMonth, hostingBuildMinute } = config.settings
  const rates = [hostingSiteMonth, hostingTrafficGb, hostingStorageGbMonth, hostingBuildMinute]
  return rates.some((rate) => rate !== null) ? null : 'Set hosting costs under System Config first'
}

const toProfit = ({ price, fees, refunds, hosting, ...rest }: Profit): ProfitTotals => ({
  ...{ ...rest, price, fees, refunds, hosting },
  margin: hosting === null ? null : price - fees - refunds - hosting,
})

export async function getUsage(
  ctx: RequestContext,
  query: QueryOf<typeof reportsUsage.getUsageReport>,
): Promise<ResponseOf<typeof reportsUsage.getUsageReport>> {
  const { days, compared, period } = resolveRange(query, ctx.clock())
  await keepDays(ctx)
  // To know which zones count costs more than their days do: one reading for both ranges.
  const [read, builds, buildsBefore, storage] = await Promise.all([
    findDomainsDays(ctx, {
      first: [days.first, compared.first].toSorted()[0] ?? days.first,
      last: [days.last, compared.last].toSorted()[1] ?? days.last,
    }),
    findBuilds(ctx, days),
    findBuilds(ctx, compared),
    findStorage(ctx),
  ])
  const within = ({ first, last }: Days) => read.filter(({ day }) => day >= first && day <= last)
  const now = within(days)
  const known = new Map(now.map((day) => [day.day, day]))
  return {
    period,
    days: countDays(days),
    metrics: metricsOf({ days: now, builds }, { days: within(compared), builds: buildsBefore }, storage),
    daily: daysIn(days).map((day) => {
      const found = known.get(day)
      return {
        day,
        visits: found?.visits ?? null,
        requests: found?.requests ?? null,
        cached_requests: found?.cached_requests ?? null,
        bandwidth: found?.bytes ?? null,
      }
    }),
    definitions: definitions.usage,
    as_of: new Date(ctx.clock()).toISOString(),
  }
}

const limited = (used: number | null, limit: number | null) => ({
  used,
  limit,
  percent: used === null || limit === null ? null : Math.round((1000 * used) / limit) / 10,
})

function toSite(row: UsageRow, seesMoney: boolean): UsageSite {
  const { gigabytes, storage, bandwidth_limit, storage_limit, ...rest } = row
  const money = seesMoney
    ? {}
    : { currency: null, price: null, fees: null, refunds: null, hosting: null, margin: null, is_loss: false }
  return {
    ...rest,
    ...money,
    build_minutes: Math.round(rest.build_minutes * 10) / 10,
    bandwidth: limited(gigabytes, bandwidth_limit),
    storage: limited(storage, storage_limit),
  }
}

export async function listUsageSites(
  ctx: RequestContext,
  query: QueryOf<typeof reportsUsage.listUsageSites>,
): Promise<ResponseOf<typeof reportsUsage.listUsageSites>> {
  const { days } = resolveRange(query, ctx.clock())
  const reason = await moneyReason(ctx)
  const seesMoney = reason === null
  // Neither the order nor the choice of rows may tell what the rows do not.
  const isMoney = query.show === 'loss' || /margin|price/.test(query.sort)
  const list = isMoney && !seesMoney ? { ...query, show: 'all' as const, sort: '-bandwidth' as const } : query
  const { sites, total, counts, profit } = await findUsagePage(ctx, days, list)
  return {
    sites: sites.map((row) => toSite(row, seesMoney)),
    total,
    has_more: list.offset + sites.length < total,
    profit: seesMoney ? profit.map(toProfit) : null,
    profit_reason: reason,
    hosting_reason: hostingReason(ctx),
    counts: seesMoney ? counts : { ...counts, loss: 0 },
  }
}
