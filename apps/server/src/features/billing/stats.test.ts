import type { Plan, Stats } from '@agency/contract/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BillingRows, insertBillingRows, makeBillingRows } from '../../../test/billing-rows.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const hour = 3_600_000

// The day in which a window starts is added up from its shorter half.
describe.each(['2026-11-21T12:34:56Z', '2026-11-21T03:04:05Z'])('at %s', (now) => {
  let t: TestContext
  let rows: BillingRows
  beforeAll(async () => {
    t = await createTestContext({ now })
    rows = makeBillingRows(now)
    const { pool } = t.ctx
    await insertBillingRows(pool, rows)
    // Around the very ends of both windows: a second decides on which side a payment lies.
    const edges = [30 * 24, 60 * 24].flatMap((hours) =>
      [-1, 0, 1].map((s) => new Date(Date.parse(now) - hours * hour + s * 1000)),
    )
    const edge = (created_at: Date, index: number) => ({
      id: `pi_edge_${index}`,
      customer_id: rows.customers[0]?.id,
      created_at,
    })
    await insertRows(pool, 'payments', [
      ...edges.map((at, index) => ({ ...edge(at, index), amount_captured: 7 + index })),
      ...edges.map((at, index) => ({ ...edge(at, index + 10), status: 'failed', counts_as_failed: true })),
    ])
    await insertRows(
      pool,
      'customers',
      edges.map((created_at, index) => ({ id: `cus_edge_${index}`, created_at })),
    )
    await insertRows(
      pool,
      'prices',
      rows.products.map(({ id }, index) => ({ id: `price_of_${id}`, product_id: id, unit_amount: 1000 * (index + 1) })),
    )
  })
  afterAll(() => t.close())

  const get = async (path: string) => (await request(t.ctx).as('super_admin').get(path)).json()

  /** One figure from the rows themselves. */
  async function raw(expression: string): Promise<number> {
    const { rows: found } = await t.ctx.pool.query(`select (${expression})::text as value`, [])
    return Number(found[0].value)
  }

  const at = (days: number) => `timestamptz '${now}' - interval '${days * 24} hours'`
  const window = (from: number, to: number) => `created_at > ${at(from)} and created_at <= ${at(to)}`
  const paid = `status in ('succeeded', 'refunded') and deleted_at is null`
  const net = `coalesce(sum(amount_captured - amount_refunded - amount_lost), 0)`

  test('equals the raw sums to the cent, in every currency', async () => {
    const { stats } = (await get('/stripe/stats')) as { stats: Stats }
    expect(stats.by_currency.map(({ currency }) => currency)).toEqual(['usd', 'eur'])
    for (const { currency, total_revenue, mrr } of stats.by_currency) {
      expect(total_revenue).toBe(await raw(`select ${net} from payments where ${paid} and currency = '${currency}'`))
      expect(mrr).toBe(
        await raw(`select round_half_even(coalesce(sum(mrr), 0)) from subscriptions where currency = '${currency}'`),
      )
    }
    expect(stats).toMatchObject({
      currency: 'usd',
      total_revenue: stats.by_currency[0]?.total_revenue,
      mrr: stats.by_currency[0]?.mrr,
      active_subscriptions: await raw(`select count(*) from subscriptions where status = 'active'`),
      trialing_subscriptions: await raw(`select count(*) from subscriptions where status = 'trialing'`),
      past_due_subscriptions: await raw(`select count(*) from subscriptions where status = 'past_due'`),
      active_customers: await raw(
        `select count(*) from customers c where exists (
        select from subscriptions s where s.customer_id = c.id and s.status in ('active', 'trialing', 'past_due'))`,
      ),
      total_customers: await raw('select count(*) from customers'),
      failed_payments: await raw(`select count(*) from payments where counts_as_failed and ${window(30, -1)}`),
      counts: {
        subscriptions: await raw('select count(*) from subscriptions'),
        payments: await raw('select count(*) from payments'),
        plans: rows.products.length,
      },
      as_of: null,
    })
  })

  test('compares with the equal period before, to the second', async () => {
    const { trends } = ((await get('/stripe/stats')) as { stats: Stats }).stats
    const revenue = (from: number, to: number) =>
      raw(`select ${net} from payments where ${paid} and currency = 'usd' and ${window(from, to)}`)
    const failed = (from: number, to: number) =>
      raw(`select count(*) from payments where counts_as_failed and ${window(from, to)}`)
    const created = (from: number, to: number) => raw(`select count(*) from customers where ${window(from, to)}`)
    // Running at the end of a day (UTC).
    const running = (what: string, end: string, where = 'true') =>
      raw(
        `select ${what} from subscriptions where running_from < '${end}' and (ended_at is null or ended_at >= '${end}') and ${where}`,
      )
    const mrr = 'round_half_even(coalesce(sum(mrr_running), 0))'
    expect(trends).toMatchObject({
      revenue: { current: await revenue(30, -1), previous: await revenue(60, 30) },
      failed_payments: { current: await failed(30, -1), previous: await failed(60, 30) },
      customers: { current: await created(30, -1), previous: await created(60, 30) },
      subscriptions: {
        current: await running('count(*)', '2026-11-22'),
        previous: await running('count(*)', '2026-10-23'),
      },
      mrr: {
        current: await running(mrr, '2026-11-22', `currency = 'usd'`),
        previous: await running(mrr, '2026-10-23', `currency = 'usd'`),
      },
    })
    for (const { current, previous, percent, definition } of Object.values(trends)) {
      expect(previous).toBeGreaterThan(0)
      expect(percent).toBeCloseTo(((current - previous!) / previous!) * 100, 0)
      expect(definition.length).toBeGreaterThan(20)
    }
  })

  test('says the same on the dashboard as on the billing screen', async () => {
    const { stats } = await get('/stripe/stats')
    const dashboard = await get('/dashboard?sections=stats')
    expect(dashboard.stats).toEqual({ ok: true, data: stats, as_of: now.replace('Z', '.000Z') })
  })

  test('shows each plan with its prices, its live and active subscriptions and their money', async () => {
    const { plans, currency } = (await get('/stripe/plans')) as { plans: Plan[]; currency: string }
    expect(currency).toBe('usd')
    expect(plans.map(({ id }) => id).sort()).toEqual(rows.products.map(({ id }) => id).sort())
    for (const plan of plans) {
      const own = `product_id = '${plan.id}'`
      expect(plan.active_count).toBe(await raw(`select count(*) from subscriptions where ${own} and status = 'active'`))
      expect(plan.live_count).toBe(
        await raw(`select count(*) from subscriptions where ${own} and status in ('active', 'trialing', 'past_due')`),
      )
      expect(plan.by_currency).toEqual([
        {
          currency: 'usd',
          mrr: await raw(`select round_half_even(sum(mrr)) from subscriptions where ${own}`),
          revenue: await raw(`select sum(total_revenue) from subscriptions where ${own}`),
        },
      ])
      expect(plan.prices).toHaveLength(1)
      expect(plan.prices[0]?.yearly_price).toBe((plan.prices[0]?.monthly_price ?? 0) * 12)
    }
  })

  test('leaves out what is only sold once, and keeps a deleted plan while somebody has it', async () => {
    const { pool } = t.ctx
    await insertRows(pool, 'products', [
      { id: 'prod_once', name: 'Setup' },
      { id: 'prod_gone', name: 'Gone', deleted_at: now },
    ])
    await insertRows(pool, 'prices', [
      { id: 'price_once', product_id: 'prod_once', type: 'one_time', interval: null },
      { id: 'price_gone', product_id: 'prod_gone' },
    ])
    const ids = async () => ((await get('/stripe/plans')).plans as Plan[]).map(({ id }) => id)
    expect(await ids()).not.toContain('prod_once')
    expect(await ids()).not.toContain('prod_gone')
    await insertRows(pool, 'subscriptions', [{ id: 'sub_gone', customer_id: 'cus_edge_0', product_id: 'prod_gone' }])
    await expect.poll(ids).toContain('prod_gone')
  })

  test('needs billing.read', async () => {
    for (const path of ['/stripe/stats', '/stripe/plans'])
      expect((await request(t.ctx).as(['customers.read']).get(path)).statusCode).toBe(403)
  })

  test('has zeros, not errors, for an empty database', async () => {
    const empty = await createTestContext({ now })
    const answer = await request(empty.ctx).as('super_admin').get('/stripe/stats')
    expect(answer.json().stats).toMatchObject({
      ...{ currency: 'usd', total_revenue: 0, mrr: 0, failed_payments: 0 },
      by_currency: [{ currency: 'usd', total_revenue: 0, mrr: 0 }],
      trends: { revenue: { current: 0, previous: 0, percent: null } },
    })
    await empty.close()
  })
})
