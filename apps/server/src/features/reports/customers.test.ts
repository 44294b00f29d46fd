import type { ResponseOf } from '@agency/contract/endpoint'
import type { getCustomerReport, getCustomerRows, listChurned, listRenewals } from '@agency/contract/reports-customers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { customer, payment, price, product, refund, subscription, write } from './test/objects.ts'

type Report = ResponseOf<typeof getCustomerReport>
type Rows = ResponseOf<typeof getCustomerRows>

let t: TestContext
beforeEach(async () => {
  t = await createTestContext({ now: '2026-11-25T12:00:00Z' })
  await write(
    t,
    'customer',
    [1, 2, 3, 4, 5].map((n) => customer(`cus_${n}`)),
  )
  await write(t, 'product', [product('prod_big', 'Business', 'enterprise'), product('prod_small', 'Care')])
})
afterEach(() => t.close())

const small = price('small', 1000)
const big = price('big', 5000)
const year = 'range=custom&from=2026-01-01&to=2026-11-25'

async function get<T>(path: string): Promise<T> {
  const answer = await request(t.ctx).as('super_admin').get(path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as T
}
const report = (query = year) => get<Report>(`/reports/customers?${query}`)

async function rowsOf(query: string): Promise<Rows> {
  const found = await get<Rows>(`/reports/customers/rows?${year}&${query}`)
  expect(found.rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(found.total)
  return found
}

describe('segments', () => {
  beforeEach(async () => {
    await write(t, 'subscription', [
      subscription('sub_1', big, { created: '2026-02-01T00:00:00Z' }),
      subscription('sub_2', small, { created: '2026-02-01T00:00:00Z', customer: 'cus_2' }),
      subscription('sub_3', big, { created: '2026-11-20T00:00:00Z', customer: 'cus_3', status: 'trialing' }),
      subscription('sub_4', small, {
        created: '2026-02-01T00:00:00Z',
        customer: 'cus_4',
        ended: '2026-03-01T00:00:00Z',
      }),
    ])
    await write(t, 'payment', [
      payment('a', '2026-02-01T00:00:00Z', 6000, { refunded: 1000 }),
      payment('b', '2026-02-01T00:00:00Z', 1000, { customer: 'cus_2' }),
      payment('c', '2026-02-01T00:00:00Z', 1500, { customer: 'cus_4' }),
      payment('d', '2026-03-01T00:00:00Z', 500, { customer: null }),
    ])
    await write(t, 'refund', [refund('a', 'a', '2026-06-01T00:00:00Z', 1000)])
  })

  test('are by the plan of the newest live subscription, a trial is a trial, and add up to the revenue', async () => {
    const { segments, currency } = await report()
    expect(currency).toBe('usd')
    expect(segments).toEqual([
      { id: 'enterprise', segment: 'Enterprise', count: 1, revenue: 5000, percentage: 62.5 },
      { id: 'professional', segment: 'Professional', count: 0, revenue: 0, percentage: 0 },
      { id: 'starter', segment: 'Starter', count: 1, revenue: 1000, percentage: 12.5 },
      { id: 'free_trial', segment: 'Free Trial', count: 1, revenue: 0, percentage: 0 },
      { id: 'other', segment: 'No live plan', count: 0, revenue: 2000, percentage: 25 },
    ])
    for (const { id, revenue } of segments) {
      expect((await rowsOf(`figure=segment&segment=${id}`)).total).toBe(revenue)
    }
    const { rows } = await rowsOf('figure=segment&segment=other')
    expect(rows.map(({ text, amount }) => [text, amount])).toEqual([
      ['No live plan', 1500],
      ['Payments without a customer', 500],
    ])
  })

  test('take all of their money along when a plan changes, ends or comes after its payments', async () => {
    const revenueOf = async () => Object.fromEntries((await report()).segments.map(({ id, revenue }) => [id, revenue]))
    await write(t, 'subscription', [
      subscription('sub_2', small, {
        created: '2026-02-01T00:00:00Z',
        customer: 'cus_2',
        ended: '2026-11-01T00:00:00Z',
      }),
      subscription('sub_3', big, { created: '2026-11-20T00:00:00Z', customer: 'cus_3' }),
      subscription('sub_4b', small, { created: '2026-11-01T00:00:00Z', customer: 'cus_4' }),
    ])
    await write(t, 'payment', [
      payment('e', '2026-11-21T00:00:00Z', 5000, { customer: 'cus_3' }),
      payment('f', '2026-11-22T10:30:00Z', 700, { customer: 'cus_6' }),
    ])
    expect(await revenueOf()).toEqual({
      enterprise: 10_000,
      professional: 0,
      starter: 1500,
      free_trial: 0,
      other: 2200,
    })
    await write(t, 'subscription', [
      subscription('sub_6', small, { created: '2026-11-22T00:00:00Z', customer: 'cus_6', status: 'trialing' }),
    ])
    await write(t, 'customer', [customer('cus_6')])
    await write(t, 'refund', [refund('e', 'e', '2026-11-25T11:30:00Z', 2000)])
    await write(t, 'payment', [payment('e', '2026-11-21T00:00:00Z', 5000, { customer: 'cus_3', refunded: 2000 })])
    expect(await revenueOf()).toEqual({
      enterprise: 8000,
      professional: 0,
      starter: 1500,
      free_trial: 700,
      other: 1500,
    })
    for (const { id, revenue } of (await report()).segments) {
      expect((await rowsOf(`figure=segment&segment=${id}`)).total).toBe(revenue)
    }
  })

  test('bear the names that they were given', async () => {
    const { settings } = t.ctx.config
    t.ctx.replace({ config: { ...t.ctx.config, settings: { ...settings, segmentEnterprise: 'Key accounts' } } })
    expect((await report()).segments[0]?.segment).toBe('Key accounts')
  })
})

describe('retention', () => {
  beforeEach(async () => {
    await write(t, 'subscription', [
      subscription('sub_1', small, { created: '2026-08-05T00:00:00Z' }),
      subscription('sub_2', small, {
        created: '2026-08-20T00:00:00Z',
        customer: 'cus_2',
        ended: '2026-10-02T00:00:00Z',
      }),
      subscription('sub_3', small, { created: '2026-10-15T00:00:00Z', customer: 'cus_3' }),
    ])
    await write(t, 'subscription', [subscription('sub_1', price('more', 1500), { created: '2026-08-05T00:00:00Z' })], {
      seen: '2026-09-10T00:00:00Z',
    })
  })

  test('follows each cohort month by month', async () => {
    const { cohorts } = await report()
    const short = cohorts.map(({ month, customers, mrr, months }) => ({
      ...{ month, customers, mrr },
      logos: months.map((one) => one.logo_percent),
      revenue: months.map((one) => one.revenue_percent),
      partial: months.map((one) => one.partial),
    }))
    expect(short).toEqual([
      {
        ...{ month: '2026-08', customers: 2, mrr: 2000 },
        ...{ logos: [100, 100, 50, 50], revenue: [100, 125, 75, 75], partial: [false, false, false, true] },
      },
      { month: '2026-10', customers: 1, mrr: 1000, logos: [100, 100], revenue: [100, 100], partial: [false, true] },
    ])
    const september = await rowsOf('figure=cohort&cohort=2026-08&offset_months=1')
    expect(september).toMatchObject({ total: 2500, count: 2 })
    expect((await rowsOf('figure=cohort&cohort=2026-08&offset_months=2')).rows).toMatchObject([
      { id: 'cus_1', amount: 1500, opens: { kind: 'customer', id: 'cus_1' } },
    ])
  })

  test('gives ARPA, churn and LTV by their formulas, and no LTV while nobody left', async () => {
    const found = await report('range=custom&from=2026-10-01&to=2026-10-30')
    // Two paid at the start, one of them left within 30 days: 50 % a month. 2500 over two customers is 1250.
    expect(found.churn_rate.current).toBe(50)
    expect(found.paying_customers.current).toBe(2)
    expect(found.arpa).toMatchObject({ amount: 1250, reason: null })
    expect(found.ltv).toMatchObject({ amount: 2500, reason: null })
    const quiet = await report('range=custom&from=2026-09-01&to=2026-09-30')
    expect(quiet.ltv).toMatchObject({ amount: null, reason: 'No customers left in this range' })
    expect((await rowsOf('figure=paying')).total).toBe(2500)
  })
})

describe('churn', () => {
  test('names the first cause that fits, with what it was read from', async () => {
    const ended = '2026-10-10T00:00:00Z'
    const gone = (n: number, of = small) =>
      subscription(`sub_${n}`, of, { created: '2026-02-01T00:00:00Z', customer: `cus_${n}` })
    await write(
      t,
      'subscription',
      [1, 2, 3, 4, 5].map((n) => gone(n)),
      { seen: '2026-02-02T00:00:00Z' },
    )
    await write(t, 'subscription', [gone(2, price('more', 1500))], { seen: '2026-09-20T00:00:00Z' })
    const end = (n: number, of = small) => ({ ...gone(n, of), status: 'canceled', ended_at: Date.parse(ended) / 1000 })
    await write(t, 'subscription', [end(1), end(2, price('more', 1500)), end(3), end(4), end(5)])
    await write(t, 'payment', [payment('f', '2026-10-01T00:00:00Z', 1000, { failed: true })])
    const { pool } = t.ctx
    await pool.query(`insert into sites (id, site_name, domain, customer_id, status, health_status, created_at, updated_at, last_deployment) values
      ('site_aaaaaaaaaaaaaaa3', 'Three', 'three.example', 'cus_3', 'active', 'healthy', now(), now(), now()),
      ('site_aaaaaaaaaaaaaaa4', 'Four', 'four.example', 'cus_4', 'pending', 'unknown', now(), now(), null)`)
    await pool.query(`insert into site_probe_days (site_id, day, probes, failures, known_seconds, down_seconds, degraded_seconds, maintenance_seconds)
      values ('site_aaaaaaaaaaaaaaa3', '2026-09-20', 100, 10, 86400, 1800, 0, 0)`)
    const { churn } = await report()
    expect(churn).toMatchObject({ customers: 5, mrr: 5500 })
    expect(churn.causes.map(({ cause, customers }) => [cause, customers]).sort()).toEqual([
      ['failed_card', 1],
      ['never_launched', 1],
      ['outage', 1],
      ['price', 1],
      ['unknown', 1],
    ])
    const found = await get<ResponseOf<typeof listChurned>>(`/reports/customers/churned?${year}`)
    expect(found).toMatchObject({ total: 5500, count: 5, has_more: false })
    expect(found.churned.map(({ customer_id, cause, evidence }) => [customer_id, cause, evidence])).toEqual([
      ['cus_1', 'failed_card', 'Payment of 10/01/2026 failed: Your card was declined.'],
      ['cus_2', 'price', 'The price rose on 09/20/2026'],
      ['cus_3', 'outage', 'three.example was down for 30 minutes in the 30 days before'],
      ['cus_4', 'never_launched', 'No site was ever deployed'],
      ['cus_5', 'unknown', 'Nothing found'],
    ])
    const priced = await get<ResponseOf<typeof listChurned>>(`/reports/customers/churned?${year}&cause=price`)
    expect(priced).toMatchObject({ total: 1500, count: 1 })
  })
})

describe('the renewal radar', () => {
  test('ranks who renews soon by MRR at risk, and says why', async () => {
    const soon = { created: '2026-01-10T00:00:00Z', periodEnd: '2026-12-10T00:00:00Z' }
    await write(t, 'subscription', [
      subscription('sub_1', small, { ...soon, leaving: true }),
      subscription('sub_2', big, { ...soon, customer: 'cus_2' }),
      subscription('sub_3', big, { ...soon, customer: 'cus_3' }),
      subscription('sub_4', big, { ...soon, customer: 'cus_4', periodEnd: '2027-06-01T00:00:00Z' }),
    ])
    const charged = payment('k', '2026-11-10T00:00:00Z', 5000, { customer: 'cus_3' })
    await write(t, 'payment', [
      {
        ...charged,
        latest_charge: {
          ...charged.latest_charge,
          payment_method_details: { type: 'card', card: { exp_month: 11, exp_year: 2026 } },
        },
      },
    ])
    const found = await get<ResponseOf<typeof listRenewals>>('/reports/customers/renewals?days=30')
    expect(found).toMatchObject({ count: 3, mrr: 11_000, mrr_at_risk: 3000, currency: 'usd' })
    expect(
      found.renewals.map((one) => [
        one.subscription_id,
        one.mrr_at_risk,
        one.card_expires,
        one.risks.map(({ text }) => text),
      ]),
    ).toEqual([
      ['sub_3', 2000, '2026-11', ['Card expires 2026-11']],
      ['sub_1', 1000, null, ['Cancellation is scheduled']],
      ['sub_2', 0, null, []],
    ])
    expect(found.renewals[2]).toMatchObject({ uptime_percent: null, traffic_percent: null, domain_expires_at: null })
  })

  test('needs the permission of subscriptions, and churned customers that of customers', async () => {
    for (const path of ['renewals', 'churned', 'rows?figure=paying']) {
      const answer = await request(t.ctx).as('readonly').get(`/reports/customers/${path}`)
      expect(answer.statusCode).toBe(403)
    }
    expect((await request(t.ctx).as('readonly').get('/reports/customers')).statusCode).toBe(200)
  })
})
