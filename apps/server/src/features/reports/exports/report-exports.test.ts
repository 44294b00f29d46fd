import type { ResponseOf } from '@agency/contract/endpoint'
import type { ExportOrder } from '@agency/contract/exports'
import type { getCustomerReport } from '@agency/contract/reports-customers'
import type { getRevenueReport } from '@agency/contract/reports-revenue'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/context.ts'
import { parseCsv } from '../../../../test/csv.ts'
import { exportFile, exportsEnv, personAs } from '../../../../test/exports.ts'
import { request } from '../../../../test/request.ts'
import { customer, payment, price, product, refund, subscription, write } from '../test/objects.ts'

let t: TestContext
const range = { range: 'custom', from: '2026-01-01', to: '2026-11-25' } as const
const query = 'range=custom&from=2026-01-01&to=2026-11-25'

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-25T12:00:00Z', env: await exportsEnv() })
  await write(
    t,
    'customer',
    [1, 2, 3].map((n) => customer(`cus_${n}`)),
  )
  await write(t, 'product', [product('prod_usd', 'Care'), product('prod_jpy', 'Business', 'enterprise')])
  await write(t, 'subscription', [
    subscription('sub_1', price('usd', 1000), {
      ...{ created: '2026-02-10T00:00:00Z', periodEnd: '2026-12-10T00:00:00Z' },
    }),
    subscription('sub_2', price('usd', 2500), {
      ...{ created: '2026-03-01T00:00:00Z', ended: '2026-06-15T00:00:00Z', customer: 'cus_2' },
    }),
    subscription('sub_3', price('jpy', 30_000, { currency: 'jpy' }), {
      ...{ created: '2026-04-01T00:00:00Z', customer: 'cus_3' },
    }),
  ])
  await write(t, 'payment', [
    payment('a', '2026-03-20T10:00:00Z', 10_000, { refunded: 1000 }),
    payment('b', '2026-04-01T00:00:00Z', 30_000, { currency: 'jpy', customer: 'cus_3' }),
  ])
  await write(t, 'refund', [refund('a', 'a', '2026-05-02T09:00:00Z', 1000)])
})
afterAll(() => t?.close())
beforeEach(() => t.clock.advance(61_000))

type Row = {
  section: string
  period: string | null
  name: string | null
  figure: string
  amount: { amount: number; currency: string } | null
  value: number | null
  note: string | null
}
const order = (kind: string, format: string, parameters: object) => ({ kind, format, parameters }) as ExportOrder
const rowsOf = async (kind: string, parameters: object = range): Promise<Row[]> =>
  JSON.parse((await exportFile(t, order(kind, 'json', parameters))).body)
const ask = async <T>(path: string): Promise<T> =>
  (await request(t.ctx).as('super_admin').get(`${path}?${query}`)).json() as T

describe('the revenue report as a file', () => {
  test('has the figures of the screen: the bridge of each currency and month, net and headline', async () => {
    const report = await ask<ResponseOf<typeof getRevenueReport>>('/reports/revenue')
    const rows = await rowsOf('report_revenue')
    const amount = (section: string, figure: string, currency: string, period: string | null = null) =>
      rows.find(
        (row) =>
          [row.section, row.figure, row.period].join() === [section, figure, period].join() &&
          row.amount?.currency === currency,
      )?.amount?.amount
    expect(report.bridges.map(({ currency }) => currency).sort()).toEqual(['jpy', 'usd'])
    for (const { currency, months } of report.bridges) {
      for (const month of months) {
        const of = (figure: string) => amount('MRR bridge', figure, currency, month.month)
        expect([of('Start'), of('New'), of('Churn'), of('End')]).toEqual([
          ...[month.start, month.new, -month.churn || 0, month.end],
        ])
        const parts = ['Start', 'New', 'Expansion', 'Reactivation', 'Contraction', 'Churn'].map((one) => of(one) ?? 0)
        expect(parts.reduce((sum, one) => sum + one, 0)).toBe(month.end)
      }
    }
    expect(amount('Gross to net', 'Gross', 'usd')).toBe(10_000)
    expect(amount('Gross to net', 'Refunds', 'usd')).toBe(-1000)
    expect(amount('Gross to net', 'Revenue', 'jpy')).toBe(30_000)
    expect(amount('Headline', 'Total Revenue', 'usd', 'This range')).toBe(report.headline.total_revenue.current)
    const byMonth = rows.filter(({ section, figure }) => section === 'Revenue by month' && figure === 'Revenue')
    expect(byMonth.reduce((sum, row) => sum + (row.amount?.amount ?? 0), 0)).toBe(9000)
  })

  test('says why a figure is not known, and never writes 0 for it', async () => {
    const rows = await rowsOf('report_revenue')
    const net = rows.find(({ section, figure }) => section === 'Gross to net' && figure === 'Net')
    expect(net).toMatchObject({ amount: null, note: 'No balance transactions yet' })
    expect(rows.find(({ figure }) => figure === 'Avg Response Time (ms)')).toMatchObject({ value: null })
  })

  test('is CSV with decimal amounts, a workbook, and a PDF with the charts of the screen', async () => {
    const [, ...rows] = parseCsv((await exportFile(t, order('report_revenue', 'csv', range))).body.slice(1))
    expect(rows).toContainEqual(['MRR bridge', '2026-02', '', 'New', '10.00', 'USD', '', ''])
    expect(rows).toContainEqual(['MRR bridge', '2026-04', '', 'New', '30000', 'JPY', '', ''])
    expect((await exportFile(t, order('report_revenue', 'xlsx', range))).rawPayload.subarray(0, 2).toString()).toBe(
      'PK',
    )
    const bytes = (await exportFile(t, order('report_revenue', 'pdf', range))).rawPayload
    const text = (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text.join(' ')
    for (const words of ['MRR movements by month (JPY)', 'Gross to net (USD)', '1/1/2026 to 11/25/2026'])
      expect(text).toContain(words)
  })
})

describe('the customer report as a file', () => {
  test('has segments, retention, churn and the cards of the screen', async () => {
    const report = await ask<ResponseOf<typeof getCustomerReport>>('/reports/customers')
    const rows = await rowsOf('report_customers')
    const values = (section: string, figure: string) =>
      rows
        .filter((row) => row.section === section && row.figure === figure)
        .map(({ amount, value }) => amount?.amount ?? value)
    expect(values('Customer segments', 'Customers')).toEqual(report.segments.map(({ count }) => count))
    expect(values('Customer segments', 'Revenue')).toEqual(report.segments.map(({ revenue }) => revenue))
    expect(values('Retention by cohort', 'MRR')).toEqual(
      report.cohorts.flatMap(({ months }) => months.map(({ mrr }) => mrr)),
    )
    expect(values('Churn', 'MRR lost')).toEqual([2500])
    expect(values('Customers', 'ARPA')).toEqual([report.arpa.amount])
    expect(
      (await rowsOf('report_customers', { ...range, currency: 'jpy' })).find(({ figure }) => figure === 'ARPA'),
    ).toMatchObject({ amount: { amount: 30_000, currency: 'jpy' } })
    const bytes = (await exportFile(t, order('report_customers', 'pdf', range))).rawPayload
    const text = (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text.join(' ')
    expect(text).toContain('Retention of MRR by month')
  })

  test('has who left and who renews in lists of their own, all of them', async () => {
    expect(await rowsOf('report_churned', { ...range, currency: 'usd' })).toMatchObject([
      { customer: 'Name of cus_2', mrr: { amount: 2500, currency: 'usd' } },
    ])
    expect(await rowsOf('report_renewals', { currency: 'usd' })).toMatchObject([
      { id: 'sub_1', customer: 'Name of cus_1', mrr: { amount: 1000, currency: 'usd' } },
    ])
  })

  test.each([
    ['report_churned', range, 'customers.read'],
    ['report_renewals', {}, 'billing.read'],
  ])('%s needs more than the report', async (kind, parameters, permission) => {
    const caller = request(t.ctx).as(['analytics.read'])
    const refused = await caller.post('/exports', order(kind, 'csv', parameters))
    expect([refused.statusCode, refused.json().permission]).toEqual([403, permission])
    expect((await caller.post('/exports', order('report_revenue', 'csv', range))).statusCode).toBe(200)
  })

  test('refuses days that do not follow', async () => {
    const root = await personAs(t, 'super_admin')
    const before = (await root.get('/exports')).json().exports
    const refused = await root.post(
      '/exports',
      order('report_revenue', 'csv', { range: 'custom', from: '2026-02-01', to: '2026-01-01' }),
    )
    expect([refused.statusCode, refused.json().parameter]).toEqual([400, 'to'])
    expect((await root.get('/exports')).json().exports).toEqual(before)
  })
})
