import type { ResponseOf } from '@agency/contract/endpoint'
import type { getCustomerReport } from '@agency/contract/reports-customers'
import type { getRevenueReport, getRevenueRows } from '@agency/contract/reports-revenue'
import type { Stats } from '@agency/contract/types'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestContext } from '../../../../test/context.ts'
import { request } from '../../../../test/request.ts'
import { inTransaction } from '../../../context.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { verifyTotals, writeObjects } from '../../mirror/index.ts'
import type { World } from './world.ts'

type Report = ResponseOf<typeof getRevenueReport>
type Rows = ResponseOf<typeof getRevenueRows>

export async function emptyWorld({ ctx }: TestContext): Promise<void> {
  await sql`truncate customers, products, subscriptions, payments, charges, invoices, invoice_payments, refunds, disputes,
    balance_transactions, mirror_tombstones, unreadable_objects, daily_revenue, payment_totals, customer_totals,
    subscription_totals, daily_subscriptions, customer_counts, daily_customers, mrr_changes, mrr_movements, mrr_hours,
    revenue_hours, segment_hours, balance_hours, mrr_days, revenue_days, segment_days, balance_days, invoice_terms, customer_cards`.execute(
    ctx.db,
  )
}

export async function writeWorld(t: TestContext, { writes }: World): Promise<void> {
  for (const { kind, object, seq, seen } of writes) {
    await inTransaction(t.ctx, (tx) =>
      writeObjects(tx, kind, [object as unknown as ProviderObject], {
        ...{ fetchSeq: seq, fetchedAt: new Date(seen), source: 'webhook' },
      }),
    )
  }
}

/** Everything that has to be equal, whatever the world. */
export async function checkWorld(t: TestContext, { zone }: World): Promise<void> {
  const caller = request(t.ctx).as('super_admin')
  const get = async <T>(path: string): Promise<T> => {
    const answer = await caller.get(path)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json() as T
  }
  const range = `range=custom&from=2024-12-31&to=2026-11-26&time_zone=${zone}`
  expect(await verifyTotals(t.ctx.db)).toEqual([])
  const report = await get<Report>(`/reports/revenue?${range}`)
  const { stats } = await get<{ stats: Stats }>('/stripe/stats')
  const dashboard = await get<{ stats: { data: Stats } }>('/dashboard?sections=stats')
  expect(dashboard.stats.data.by_currency).toEqual(stats.by_currency)

  expect(report.headline.active_subscriptions.current).toBe(stats.trends.subscriptions.current)
  await checkBridges(t, report, stats, (query) => get<Rows>(`/reports/revenue/rows?${range}&${query}`))
  await checkRevenue(t, report, stats, zone)
  await checkRows(report, (query) => get<Rows>(`/reports/revenue/rows?${range}&${query}`))

  const customers = await get<ResponseOf<typeof getCustomerReport>>(`/reports/customers?${range}`)
  expect(customers.segments.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(report.headline.total_revenue.current)
  for (const { id, revenue } of customers.segments) {
    expect((await get<Rows>(`/reports/customers/rows?${range}&figure=segment&segment=${id}`)).total).toBe(revenue)
  }
  const paying = await get<Rows>(`/reports/customers/rows?${range}&figure=paying`)
  expect([paying.total, paying.count]).toEqual([stats.mrr, customers.paying_customers.current])
}

async function checkBridges(
  t: TestContext,
  { bridges }: Report,
  stats: Stats,
  rows: (query: string) => Promise<Rows>,
): Promise<void> {
  for (const { currency, months, now } of bridges) {
    let end = 0
    for (const month of months) {
      expect(month.start).toBe(end)
      expect(month.start + month.new + month.expansion + month.reactivation - month.contraction - month.churn).toBe(
        month.end,
      )
      ;({ end } = month)
      for (const bar of ['start', 'end'] as const) {
        if (month[bar] === 0 || month.start === month.end) continue
        expect((await rows(`figure=${bar}&month=${month.month}&currency=${currency}`)).total).toBe(month[bar])
      }
      for (const kind of ['new', 'expansion', 'reactivation', 'contraction', 'churn'] as const) {
        if (month[kind] === 0) continue
        const found = await rows(`figure=${kind}&month=${month.month}&currency=${currency}&limit=100`)
        expect(found.total).toBe(month[kind])
        expect(found.rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(found.total)
      }
    }
    const { rows: raw } = await sql<{ mrr: number }>`
      select round_half_even(coalesce(sum(mrr), 0)) as mrr from subscriptions where deleted_at is null and currency = ${currency}`.execute(
      t.ctx.db,
    )
    expect(end).toBe(now.mrr)
    expect(now.mrr).toBe(raw[0]?.mrr)
    expect(now.mrr).toBe(stats.by_currency.find((one) => one.currency === currency)?.mrr ?? 0)
    for (const figure of ['mrr', 'committed', 'past_due'] as const) {
      expect((await rows(`figure=${figure}&currency=${currency}`)).total).toBe(now[figure])
    }
  }
}

/** The same from the rows of the mirror, in one question that knows nothing of hours. */
async function checkRevenue(t: TestContext, report: Report, stats: Stats, zone: string): Promise<void> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', currency, month, sum(gross), sum(refunds), sum(lost), sum(tax)) as line
    from (select *, to_char(at at time zone ${zone}, 'YYYY-MM') as month from (
      select currency, created_at as at, amount_captured as gross,
        amount_refunded - coalesce((select sum(r.amount) from refunds r where r.payment_id = p.id and r.currency = p.currency), 0) as refunds,
        0 as lost, 0 as tax
      from payments p where status in ('succeeded', 'refunded')
      union all
      select r.currency, r.created_at, 0, r.amount, 0, 0 from refunds r join payments p on p.id = r.payment_id
      where p.status in ('succeeded', 'refunded')
      union all
      select d.currency, d.created_at, 0, 0, d.amount, 0 from disputes d join payments p on p.id = d.payment_id
      where p.status in ('succeeded', 'refunded') and d.status = 'lost'
      union all select currency, paid_at, 0, 0, 0, tax from invoices where status = 'paid'
    ) u) m group by currency, month
    having (sum(gross), sum(refunds), sum(lost), sum(tax)) <> (0, 0, 0, 0)`.execute(t.ctx.db)
  const shown = report.gross_to_net.flatMap(({ currency, months }) =>
    months
      .filter((month) => month.gross !== 0 || month.refunds !== 0 || month.disputes !== 0 || month.tax !== 0)
      .map((month) => `${currency} ${month.month} ${month.gross} ${month.refunds} ${month.disputes} ${month.tax}`),
  )
  expect(shown.sort()).toEqual(rows.map(({ line }) => line).sort())
  for (const { currency, total_revenue } of stats.by_currency) {
    const own = report.gross_to_net.find((one) => one.currency === currency)
    expect(own?.revenue ?? 0).toBe(total_revenue)
  }
  expect(report.months.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(report.headline.total_revenue.current)
  const { rows: net } = await sql<{ line: string }>`
    select concat_ws(' ', currency, sum(fee), sum(net)) as line from balance_transactions group by currency`.execute(
    t.ctx.db,
  )
  expect(report.settlements.map(({ currency, fees, net: left }) => `${currency} ${fees} ${left}`).sort()).toEqual(
    net.map(({ line }) => line).sort(),
  )
  for (const one of report.settlements) {
    expect(one.charges - one.refunds - one.disputes + one.other - one.fees).toBe(one.net)
  }
}

async function checkRows(report: Report, rows: (query: string) => Promise<Rows>): Promise<void> {
  for (const sums of report.gross_to_net) {
    for (const figure of ['gross', 'refunds', 'disputes', 'revenue', 'tax'] as const) {
      const found = await rows(`figure=${figure}&currency=${sums.currency}&limit=100`)
      expect([figure, found.total]).toEqual([figure, sums[figure]])
      expect(found.rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(found.total)
    }
  }
  for (const { currency, fees, net, charges, refunds, disputes, other } of report.settlements) {
    const figures = { fees, settled_net: net, settled_charges: charges, settled_refunds: refunds }
    for (const [figure, total] of Object.entries({ ...figures, settled_disputes: disputes, settled_other: other })) {
      expect([figure, (await rows(`figure=${figure}&currency=${currency}`)).total]).toEqual([figure, total])
    }
  }
  for (const { currency, end, start, added, recognized } of report.deferred) {
    const figures = { deferred: end, deferred_start: start, deferred_added: added, deferred_recognized: recognized }
    for (const [figure, total] of Object.entries(figures)) {
      expect([figure, (await rows(`figure=${figure}&currency=${currency}`)).total]).toEqual([figure, total])
    }
  }
  for (const { currency, net } of report.gross_to_net) {
    if (net.amount !== null) expect((await rows(`figure=net&currency=${currency}`)).total).toBe(net.amount)
  }
}
