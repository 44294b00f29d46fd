import type { ResponseOf } from '@agency/contract/endpoint'
import type { ReportFigureSql } from '@agency/contract/report-sql'
import type { getCustomerReport } from '@agency/contract/reports-customers'
import type { getRevenueReport } from '@agency/contract/reports-revenue'
import type { getPerformanceReport, getUsageReport } from '@agency/contract/reports-usage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../test/request.ts'
import {
  customer,
  dispute,
  invoice,
  payment,
  price,
  refund,
  subscription,
  transaction,
  write,
} from './features/reports/test/objects.ts'
import { ask, openSqlWorld, type SqlWorld } from './features/sql-console/test/ask.ts'

let world: SqlWorld
const range = 'range=custom&from=2026-02-01&to=2026-11-25'

beforeAll(async () => {
  world = await openSqlWorld({ now: '2026-11-25T12:00:00Z' })
  const { t } = world
  await write(t, 'customer', [customer('cus_1'), customer('cus_2'), customer('cus_3')])
  const [small, big, half] = [price('small', 1000), price('big', 2500), price('half', 1005, { interval: 'year' })]
  await write(t, 'subscription', [
    subscription('sub_1', small, { created: '2026-01-10T08:00:00Z' }),
    subscription('sub_2', big, { created: '2026-02-10T08:00:00Z', ended: '2026-06-20T00:00:00Z', customer: 'cus_2' }),
    subscription('sub_3', half, { created: '2026-03-10T08:00:00Z', customer: 'cus_3' }),
  ])
  await write(t, 'subscription', [subscription('sub_1', big, { created: '2026-01-10T08:00:00Z' })], {
    seen: '2026-04-15T08:20:00Z',
  })
  await write(t, 'payment', [
    payment('1', '2026-01-31T23:50:00Z', 5000, { refunded: 1500 }),
    payment('2', '2026-02-01T00:10:00Z', 7000),
    payment('3', '2026-11-25T11:59:00Z', 1234, { customer: 'cus_2' }),
  ])
  await write(t, 'refund', [refund('1', '1', '2026-03-01T00:00:00Z', 1500)])
  await write(t, 'dispute', [dispute('1', '2', '2026-05-01T00:00:00Z', 7000)])
  const line = { price: 'prod_small', amount: 1000, from: '2026-02-02T00:00:00Z', to: '2026-03-02T00:00:00Z' }
  await write(t, 'invoice', [invoice('1', 'sub_1', '2026-02-02T00:00:00Z', [line], { tax: 190 })])
  await t.ctx.pool.query(`insert into sites (id, site_name, domain, customer_id, status, created_at, updated_at)
    values ('site_0000000000000001', 'Bakery', 'bakery.example', 'cus_1', 'active', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z')`)
  await write(t, 'balance_transaction', [
    transaction('ch_2', '2026-02-02T00:00:00Z', 'charge', 7000, { fee: 233 }),
    transaction('re_1', '2026-03-02T00:00:00Z', 'refund', -1500),
  ])
})
afterAll(() => world?.t.close())

const get = async <T>(path: string): Promise<T> => (await request(world.t.ctx).as('super_admin').get(path)).json() as T

/** The columns of one row. */
async function valuesOf(report: string, figure: string): Promise<Record<string, number>> {
  const { figures } = await get<{ figures: ReportFigureSql[] }>(`/reports/sql?report=${report}&${range}`)
  const sql = figures.find((one) => one.figure === figure)?.sql ?? ''
  const { columns, rows, error } = await ask(world.root, sql)
  expect([figure, error]).toEqual([figure, null])
  return Object.fromEntries(columns.map(({ name }, index) => [name, Number(rows[0]?.[index])]))
}

test.each(['revenue', 'customers', 'usage', 'performance'])(
  'every figure of the %s report can be asked',
  async (report) => {
    const { figures } = await get<{ figures: ReportFigureSql[] }>(`/reports/sql?report=${report}&${range}`)
    expect(figures.length).toBeGreaterThan(4)
    for (const { figure, sql } of figures) {
      const { error, rows } = await ask(world.root, sql)
      expect([figure, error]).toEqual([figure, null])
      expect(rows.length, figure).toBeGreaterThan(
        figure.includes('day') || figure === 'Charged, fees and refunds' ? -1 : 0,
      )
    }
  },
)

describe('a query comes to what the report says', () => {
  test('of revenue', async () => {
    const report = await get<ResponseOf<typeof getRevenueReport>>(`/reports/revenue?${range}`)
    const [gross] = report.gross_to_net
    expect(report.headline.total_revenue.current).not.toBe(0)
    expect(await valuesOf('revenue', 'Total Revenue')).toEqual({ revenue: report.headline.total_revenue.current })
    expect(await valuesOf('revenue', 'Gross to net')).toEqual({
      ...{
        gross: gross?.gross,
        refunds: gross?.refunds,
        disputes: gross?.disputes,
        revenue: gross?.revenue,
        tax: gross?.tax,
      },
    })
    expect(await valuesOf('revenue', 'Active Subscriptions')).toEqual({
      subscriptions: report.headline.active_subscriptions.current,
    })
    expect(await valuesOf('revenue', 'Total Sites')).toEqual({ sites: report.headline.total_sites.current })
    const [settled] = report.settlements
    const { charges, refunds, disputes, other, fees, net } = settled!
    expect(await valuesOf('revenue', 'Settlement')).toEqual({ charges, refunds, disputes, other, fees, net })
    const { figures } = await get<{ figures: ReportFigureSql[] }>(`/reports/sql?report=revenue&${range}`)
    const byMonth = await ask(world.root, figures.find(({ figure }) => figure === 'Revenue by month')?.sql ?? '')
    expect(byMonth.rows).toEqual(
      report.months.filter(({ revenue }) => revenue !== 0).map(({ month, revenue }) => [month, String(revenue)]),
    )
  })

  test('of MRR, to the cent', async () => {
    const { bridges } = await get<ResponseOf<typeof getRevenueReport>>(`/reports/revenue?${range}`)
    const [bridge] = bridges
    const { start, new: added, churn, end } = await valuesOf('revenue', 'MRR bridge')
    expect([start, end]).toEqual([bridge?.months[0]?.start, bridge?.months.at(-1)?.end])
    expect(added).toBeGreaterThan(0)
    expect(churn).toBe(bridge?.months.reduce((sum, month) => sum + month.churn, 0))
    expect(await valuesOf('revenue', 'MRR now')).toEqual(bridge?.now)
  })

  test('of customers', async () => {
    const report = await get<ResponseOf<typeof getCustomerReport>>(`/reports/customers?${range}`)
    expect(await valuesOf('customers', 'Paying customers')).toEqual({ customers: report.paying_customers.current })
    expect(await valuesOf('customers', 'ARPA')).toEqual({ arpa: report.arpa.amount })
    expect(await valuesOf('customers', 'Churn rate')).toEqual({ percent: report.churn_rate.current })
    expect(await valuesOf('customers', 'LTV')).toEqual({ ltv: report.ltv.amount })
    expect(await valuesOf('customers', 'Churned customers')).toEqual({
      customers: report.churn.customers,
      mrr: report.churn.mrr,
    })
    const { figures } = await get<{ figures: ReportFigureSql[] }>(`/reports/sql?report=customers&${range}`)
    const segments = await ask(world.root, figures.find(({ figure }) => figure === 'Segments')?.sql ?? '')
    const shown = report.segments.filter(({ count, revenue }) => count !== 0 || revenue !== 0)
    expect(segments.rows).toEqual(
      shown
        .map(({ id, count, revenue }) => [id, String(count), String(revenue)])
        .sort((a, b) => (a[0]! < b[0]! ? -1 : 1)),
    )
  })

  test('of usage and performance', async () => {
    const usage = await get<ResponseOf<typeof getUsageReport>>(`/reports/usage?${range}`)
    const performance = await get<ResponseOf<typeof getPerformanceReport>>(`/reports/performance?${range}`)
    const metric = (key: string) => usage.metrics.find((one) => one.key === key)?.current
    expect(await valuesOf('usage', 'Deployments')).toEqual({ deployments: metric('deployments') })
    expect(await valuesOf('usage', 'Build minutes')).toEqual({ minutes: metric('build_minutes') })
    expect(performance.requests.current ?? 0).toBe((await valuesOf('performance', 'Requests'))['requests'])
  })
})

test('queries are for whoever may query', async () => {
  const answer = await request(world.t.ctx).as(['analytics.read']).get('/reports/sql?report=revenue')
  expect([answer.statusCode, answer.json().permission]).toEqual([403, 'admin.system'])
})
