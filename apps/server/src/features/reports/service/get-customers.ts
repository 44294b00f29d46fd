import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { getCustomerReport, getCustomerRows, listChurned, listRenewals } from '@agency/contract/reports-customers'
import type { CustomerSegment, Renewal } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { changeOf } from '../change.ts'
import { customerDefinitions, renewalDefinitions } from '../definitions.ts'
import { resolvePeriod } from '../period.ts'
import { findBridge, findMrrNow } from '../queries/bridge.ts'
import { findCauses, findChurned } from '../queries/churn.ts'
import { findCohorts, findMonth } from '../queries/cohorts.ts'
import { findHome } from '../queries/headline.ts'
import { findRenewals, type RenewalRow, weights } from '../queries/renewals.ts'
import { findPayingRows, findSegmentRows, findSegments, type SegmentSum } from '../queries/segments.ts'
import { needForRows } from './get-rows.ts'
import { toCohorts } from './to-cohorts.ts'

type Report = ResponseOf<typeof getCustomerReport>

const cohortMonths = 12
const dayMs = 86_400_000
const monthDays = 30

const define = (figure: string): string => customerDefinitions.find((one) => one.figure === figure)?.text ?? ''

/** The specified four always, in their order; others only when there are any. */
function toSegments(ctx: RequestContext, sums: readonly SegmentSum[]): CustomerSegment[] {
  const { segmentEnterprise, segmentProfessional, segmentStarter, segmentFreeTrial } = ctx.config.settings
  const total = sums.reduce((sum, { revenue }) => sum + revenue, 0)
  const named = [
    ['enterprise', segmentEnterprise],
    ['professional', segmentProfessional],
    ['starter', segmentStarter],
    ['free_trial', segmentFreeTrial],
    ['other', 'No live plan'],
  ] as const
  return named.flatMap(([id, segment]) => {
    const { count = 0, revenue = 0 } = sums.find((sum) => sum.segment === id) ?? {}
    if (id === 'other' && count === 0 && revenue === 0) return []
    const percentage = total === 0 ? null : Math.round((revenue / total) * 1000) / 10
    return [{ id, segment, count, revenue, percentage }]
  })
}

export async function getCustomers(ctx: RequestContext, query: QueryOf<typeof getCustomerReport>): Promise<Report> {
  const { pool } = ctx
  const { period, bounds, days } = await resolvePeriod(ctx, query)
  const { current, compared } = period
  const { open } = bounds.current
  const home = await findHome(pool)
  const currency = query.currency ?? home.currency
  const [segments, [part], [before], changes, causes, now] = await Promise.all([
    findSegments(pool, current.from, open, currency),
    findBridge(pool, [current.from, open]).then((parts) => parts.filter((one) => one.currency === currency)),
    findBridge(pool, [compared.from, compared.until]).then((parts) => parts.filter((one) => one.currency === currency)),
    findCohorts(pool, {
      ...{ timeZone: period.time_zone, currency, months: cohortMonths, until: open },
      last: bounds.months.at(-1)?.name ?? '',
    }),
    findCauses(pool, current.from, open, currency),
    findMrrNow(pool),
  ])
  const lost = causes.reduce((sum, { customers }) => sum + customers, 0)
  const rateOf = (gone: number, start: number, length: number): number | null =>
    start === 0 ? null : ((gone / start) * monthDays * 100) / length
  const rate = rateOf(lost, part?.customers_start ?? 0, days)
  const paying = part?.customers_end ?? 0
  const arpa = paying === 0 ? null : Math.round((part?.end ?? 0) / paying)
  const last = bounds.months.at(-1)
  return {
    period,
    currency,
    currencies: [...new Set([home.currency, ...now.filter(({ mrr }) => mrr !== 0).map((one) => one.currency)])],
    segments: toSegments(ctx, segments),
    paying_customers: changeOf(paying, before?.customers_end ?? 0, { definition: define('paying') }),
    arpa: {
      ...{ amount: arpa, currency, definition: define('arpa') },
      reason: arpa === null ? 'No customer has MRR at the end of this range' : null,
    },
    ltv: {
      ...{ currency, definition: define('ltv') },
      amount: arpa === null || rate === null || rate === 0 ? null : Math.round((arpa * 100) / rate),
      reason:
        arpa === null
          ? 'No customer has MRR at the end of this range'
          : rate === null
            ? 'No customer had MRR at the start of this range'
            : rate === 0
              ? 'No customers left in this range'
              : null,
    },
    churn_rate: changeOf(
      rate === null ? null : Math.round(rate * 100) / 100,
      roundedRate(rateOf(before?.customers_lost ?? 0, before?.customers_start ?? 0, days)),
      { definition: define('churn_rate'), reason: 'No customer had MRR at the start of this range' },
    ),
    cohorts: last ? toCohorts(changes, { month: last.name, isPartial: last.partial }) : [],
    churn: { customers: lost, mrr: causes.reduce((sum, { mrr }) => sum + mrr, 0), causes },
    definitions: customerDefinitions,
    as_of: home.as_of,
  }
}

const roundedRate = (rate: number | null): number | null => (rate === null ? null : Math.round(rate * 100) / 100)

export async function getRowsOfCustomers(
  ctx: RequestContext,
  query: QueryOf<typeof getCustomerRows>,
): Promise<ResponseOf<typeof getCustomerRows>> {
  needForRows(ctx, 'customers.read')
  const { figure, limit, offset, segment, cohort, offset_months = 0 } = query
  if (figure === 'segment' && segment === undefined) throw invalidParameter('segment', 'must say which one')
  if (figure === 'cohort' && cohort === undefined) throw invalidParameter('cohort', 'must say which month')
  const { period, bounds } = await resolvePeriod(ctx, query)
  const currency = query.currency ?? (await findHome(ctx.pool)).currency
  let { from, open: until } = bounds.current
  let joined: { since: string; before: string } | null = null
  if (figure === 'cohort' && cohort !== undefined) {
    const [first, month] = await Promise.all([
      findMonth(ctx.pool, period.time_zone, cohort, 0),
      findMonth(ctx.pool, period.time_zone, cohort, offset_months),
    ])
    joined = { since: first.from, before: first.until }
    ;({ from } = month)
    if (Date.parse(month.until) < Date.parse(until)) until = month.until
  }
  const wanted = { from, until, currency, limit, offset }
  const found =
    figure === 'segment' && segment !== undefined
      ? await findSegmentRows(ctx.pool, wanted, segment)
      : await findPayingRows(ctx.pool, wanted, joined)
  const shown = until === bounds.current.open ? bounds.current.until : until
  return { figure, currency, from, until: shown, ...found, has_more: offset + found.rows.length < found.count }
}

export async function getChurned(
  ctx: RequestContext,
  query: QueryOf<typeof listChurned>,
): Promise<ResponseOf<typeof listChurned>> {
  needForRows(ctx, 'customers.read')
  return churnedOf(ctx, query)
}

/** For whoever may see them, which the caller has made sure of. */
export async function churnedOf(
  ctx: RequestContext,
  query: QueryOf<typeof listChurned>,
): Promise<ResponseOf<typeof listChurned>> {
  const { bounds } = await resolvePeriod(ctx, query)
  const currency = query.currency ?? (await findHome(ctx.pool)).currency
  const { cause = null, limit, offset } = query
  const found = await findChurned(ctx.pool, {
    ...{ from: bounds.current.from, until: bounds.current.open },
    ...{ currency, cause, limit, offset },
  })
  return { ...found, has_more: offset + found.churned.length < found.count }
}

const shortDate = (iso: string): string => {
  const [year, month, day] = iso.slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}

function risksOf(row: RenewalRow): Renewal['risks'] {
  const risk = (name: keyof typeof weights, isThere: boolean, text: string) =>
    isThere ? [{ risk: name, weight_percent: weights[name], text }] : []
  return [
    ...risk('cancel_scheduled', row.is_leaving, 'Cancellation is scheduled'),
    ...risk('past_due', row.is_late, 'Last invoice is past due'),
    ...risk('card_expires', row.card_risk, `Card expires ${row.card_expires}`),
    ...risk('domain_expires', row.domain_risk, `${row.domain} expires ${shortDate(row.domain_expires_at ?? '')}`),
    ...risk('uptime', row.uptime_risk, `Uptime ${row.uptime_percent?.toFixed(2)}% in 30 days`),
    ...risk('traffic', row.traffic_risk, `Page views ${row.traffic_percent}% in 30 days`),
  ]
}

export async function getRenewals(
  ctx: RequestContext,
  query: QueryOf<typeof listRenewals>,
): Promise<ResponseOf<typeof listRenewals>> {
  needForRows(ctx, 'billing.read')
  return renewalsOf(ctx, query)
}

/** For whoever may see them, which the caller has made sure of. */
export async function renewalsOf(
  ctx: RequestContext,
  query: QueryOf<typeof listRenewals>,
): Promise<ResponseOf<typeof listRenewals>> {
  const from = new Date(ctx.clock())
  const until = new Date(from.getTime() + query.days * dayMs)
  const currency = query.currency ?? (await findHome(ctx.pool)).currency
  const { count, mrr, at_risk, rows } = await findRenewals(ctx.pool, { from, until, currency, limit: query.limit })
  const renewals = rows.map((row) => ({
    ...{ subscription_id: row.subscription_id, customer_id: row.customer_id, customer: row.customer },
    ...{ plan_name: row.plan_name, renews_at: row.renews_at, mrr: row.mrr, currency, mrr_at_risk: row.at_risk },
    ...{ risks: risksOf(row), card_expires: row.card_expires, domain: row.domain },
    ...{ domain_expires_at: row.domain_expires_at, uptime_percent: row.uptime_percent },
    traffic_percent: row.traffic_percent,
  }))
  return { renewals, count, mrr, mrr_at_risk: at_risk, currency, definitions: renewalDefinitions }
}
