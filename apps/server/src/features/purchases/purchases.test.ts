import type { Purchase, PurchaseDetails } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { idsOf, inOrder, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-11-21T12:00:00Z'
const day = 86_400_000
const path = '/v1/admin/purchases'
type Role = Parameters<ReturnType<typeof request>['as']>[0]
type List = { purchases: Purchase[]; unreadCount: number; has_more: boolean; total: number }

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now })
})
afterAll(() => t.close())
beforeEach(async () => {
  for (const table of ['checkout_sessions', 'payments', 'invoice_payments', 'customers', 'purchase_reads'])
    await t.ctx.pool.query(`delete from ${table}`)
})

const insert = (table: Parameters<typeof insertRows>[1], ...rows: Record<string, unknown>[]) =>
  insertRows(t.ctx.pool, table, rows)
const ago = (ms: number) => new Date(Date.parse(now) - ms).toISOString()
const sessions = (...rows: Record<string, unknown>[]) =>
  insert('checkout_sessions', ...rows.map((row) => ({ created_at: ago(day), ...row })))

async function list(query = '', who: Role = 'super_admin'): Promise<List> {
  const response = await request(t.ctx).as(who).get(`${path}${query}`)
  expect(response.statusCode).toBe(200)
  return response.json()
}
const read = (body?: object, who: Role = 'super_admin') => request(t.ctx).as(who).post(`${path}/read`, body)
const statuses = async () => Object.fromEntries((await list()).purchases.map(({ id, status }) => [id, status]))

describe('the feed', () => {
  test('carries what a row shows', async () => {
    await insert('customers', { id: 'cus_1', name: 'Ada', email: 'ada@example.com' })
    await sessions({
      id: 'cs_1',
      customer_id: 'cus_1',
      amount_total: 123_450,
      currency: 'eur',
      metadata: { site_name: 'Harbour Bakery', production_url: 'https://harbour.example' },
    })
    expect(await list()).toEqual({
      purchases: [
        {
          id: 'cs_1',
          siteName: 'Harbour Bakery',
          status: 'completed',
          customerEmail: 'ada@example.com',
          customerId: 'cus_1',
          amount: 123_450,
          currency: 'eur',
          timestamp: '2026-11-20T12:00:00Z',
          productionUrl: 'https://harbour.example/',
          unread: true,
        },
      ],
      unreadCount: 1,
      has_more: false,
      as_of: null,
      total: 1,
    })
  })

  test('says honestly what it does not know', async () => {
    await sessions({ id: 'cs_1', amount_total: null, currency: null, metadata: { production_url: 'javascript:x' } })
    const { purchases } = await list()
    expect(purchases[0]).toMatchObject({
      siteName: 'Unnamed site',
      customerEmail: null,
      amount: null,
      currency: 'usd',
      productionUrl: null,
    })
  })

  test('tells completed, pending, failed and refunded purchases apart', async () => {
    await insert(
      'payments',
      { id: 'pi_paid' },
      { id: 'pi_back', status: 'refunded', amount_refunded: 1000 },
      { id: 'pi_part', amount_refunded: 400 },
      { id: 'pi_slow', status: 'processing' },
      { id: 'pi_bad', status: 'failed' },
    )
    await sessions(
      { id: 'cs_paid', payment_id: 'pi_paid' },
      { id: 'cs_free', payment_status: 'no_payment_required' },
      { id: 'cs_back', payment_id: 'pi_back' },
      { id: 'cs_part', payment_id: 'pi_part' },
      { id: 'cs_open', status: 'open', payment_status: 'unpaid' },
      { id: 'cs_slow', payment_status: 'unpaid', payment_id: 'pi_slow' },
      { id: 'cs_bad', payment_status: 'unpaid', payment_id: 'pi_bad' },
      { id: 'cs_left', status: 'expired', payment_status: 'unpaid' },
    )
    expect(await statuses()).toEqual({
      cs_paid: 'completed',
      cs_free: 'completed',
      cs_back: 'refunded',
      cs_part: 'completed',
      cs_open: 'pending',
      cs_slow: 'pending',
      cs_bad: 'failed',
      cs_left: 'failed',
    })
  })

  test('finds the refund of a subscription through its first invoice', async () => {
    await insert('payments', { id: 'pi_sub', status: 'refunded' })
    await insert('invoice_payments', { id: 'inpay_1', invoice_id: 'in_1', payment_id: 'pi_sub' })
    await sessions({ id: 'cs_sub', mode: 'subscription', raw: { invoice: 'in_1' } })
    expect(await statuses()).toEqual({ cs_sub: 'refunded' })
  })

  test('leaves out what is gone and what only saved a card', async () => {
    await sessions({ id: 'cs_1' }, { id: 'cs_gone', deleted_at: now }, { id: 'cs_card', mode: 'setup' })
    const { purchases, total, unreadCount } = await list()
    expect([idsOf(purchases), total, unreadCount]).toEqual([['cs_1'], 1, 1])
  })

  test('counts what comes, changes and goes', async () => {
    const totals: number[] = []
    const change = async (sql: string) => {
      await t.ctx.pool.query(sql)
      totals.push((await list()).total)
    }
    await sessions({ id: 'cs_1' }, { id: 'cs_2' }, { id: 'cs_3' })
    await change("update checkout_sessions set status = 'expired'")
    await change("update checkout_sessions set deleted_at = now() where id = 'cs_1'")
    await change("delete from checkout_sessions where id in ('cs_1', 'cs_2')")
    await change('truncate checkout_sessions')
    await sessions({ id: 'cs_4' })
    expect([...totals, (await list()).total]).toEqual([3, 2, 1, 0, 1])
  })

  test('pages of any size, forward and backward, are the whole of it, newest first', async () => {
    const rows = Array.from({ length: 23 }, (_, index) => ({
      id: `cs_${index}`,
      created_at: ago(Math.floor(index / 3) * day),
      mode: index % 7 === 6 ? 'setup' : 'payment',
    }))
    await sessions(...rows)
    const shown = inOrder(
      rows.filter(({ mode }) => mode !== 'setup'),
      ({ created_at }) => created_at,
    )
    const get = async (address: string) => (await request(t.ctx).as('super_admin').get(address)).json()
    for (const limit of [1, 4, 100]) {
      expect(await readAllForward(get, `${path}?limit=${limit}`, 'purchases')).toEqual(shown)
      expect(await readAllBackward(get, `${path}?limit=${limit}`, 'purchases', shown.at(-1))).toEqual(
        shown.slice(0, -1),
      )
    }
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['starting_after=cs_unknown', 'starting_after'],
    ['ending_before=cs_unknown', 'ending_before'],
    ['starting_after=cs_1&ending_before=cs_1', 'ending_before'],
  ])('refuses %s and names the parameter', async (query, parameter) => {
    await sessions({ id: 'cs_1' })
    const response = await request(t.ctx).as('super_admin').get(`${path}?${query}`)
    expect([response.statusCode, response.json().parameter]).toEqual([400, parameter])
  })
})

test('a changed checkout and a read purchase are told', async () => {
  const told = () => t.ctx.changes.version(['purchases'])
  for (const change of [() => sessions({ id: 'cs_1' }), () => read({ ids: ['cs_1'] })]) {
    const before = told()
    await change()
    await expect.poll(told).toBeGreaterThan(before)
  }
})

describe('one purchase', () => {
  test('comes with its payment, its customer and its metadata', async () => {
    await insert('customers', { id: 'cus_1', name: 'Ada' })
    await insert('payments', { id: 'pi_1', amount_refunded: 250 })
    const metadata = { site_name: 'Cove', selected_domains: 'cove.example' }
    await sessions({ id: 'cs_1', customer_id: 'cus_1', payment_id: 'pi_1', customer_email: 'a@b.example', metadata })
    const response = await request(t.ctx).as('super_admin').get(`${path}/cs_1`)
    expect(response.json().purchase).toMatchObject({
      id: 'cs_1',
      customerEmail: 'a@b.example',
      customerName: 'Ada',
      paymentId: 'pi_1',
      refundedAmount: 250,
      checkoutStatus: 'complete',
      paymentStatus: 'paid',
      subscriptionId: null,
      isReset: false,
      unread: true,
      metadata,
    } satisfies Partial<PurchaseDetails>)
  })

  test.each(['cs_unknown', 'cs_gone', 'cs_card'])('%s is not found', async (id) => {
    await sessions({ id: 'cs_gone', deleted_at: now }, { id: 'cs_card', mode: 'setup' })
    expect((await request(t.ctx).as('super_admin').get(`${path}/${id}`)).statusCode).toBe(404)
  })
})

describe('what is unread', () => {
  const unread = async (who?: Role) => {
    const { purchases, unreadCount } = await list('', who)
    const ids = idsOf(purchases.filter((purchase) => purchase.unread)).sort()
    expect(unreadCount).toBe(ids.length)
    return ids
  }

  test('is a completed checkout of the last thirty days', async () => {
    await sessions(
      { id: 'cs_new' },
      { id: 'cs_open', status: 'open' },
      { id: 'cs_left', status: 'expired' },
      { id: 'cs_old', created_at: ago(31 * day) },
    )
    expect(await unread()).toEqual(['cs_new'])
  })

  test('becomes so when an open checkout is completed, even after all were marked', async () => {
    await sessions({ id: 'cs_1', status: 'open', payment_status: 'unpaid' })
    await read()
    await t.ctx.pool.query("update checkout_sessions set status = 'complete', payment_status = 'paid'")
    expect(await unread()).toEqual(['cs_1'])
  })

  test('is read by each administrator alone', async () => {
    await sessions({ id: 'cs_1' }, { id: 'cs_2' })
    expect((await read({ ids: ['cs_1', 'cs_unknown'] }, 'admin')).json()).toEqual({ unreadCount: 1 })
    expect([await unread('admin'), await unread()]).toEqual([['cs_2'], ['cs_1', 'cs_2']])
    expect((await read(undefined, 'admin')).json()).toEqual({ unreadCount: 0 })
    expect([await unread('admin'), await unread()]).toEqual([[], ['cs_1', 'cs_2']])
  })

  test('is marked once, however often and by however many calls at once', async () => {
    await sessions(...Array.from({ length: 40 }, (_, index) => ({ id: `cs_${index}` })))
    const answers = await Promise.all([read(), read({ ids: ['cs_3', 'cs_1'] }), read(), read({ ids: ['cs_1'] })])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(await unread()).toEqual([])
    const { rows } = await t.ctx.pool.query('select purchase_id from purchase_reads')
    expect(rows).toHaveLength(40)
  })

  test('is at most the newest thousand', async () => {
    await sessions(
      ...Array.from({ length: 1010 }, (_, index) => ({ id: `cs_${index}`, created_at: ago(index * 1000) })),
    )
    const first = await list('?limit=100')
    expect([first.unreadCount, first.total]).toEqual([1000, 1010])
    const last = await list('?limit=100&starting_after=cs_950')
    expect(idsOf(last.purchases.filter((purchase) => purchase.unread))).toHaveLength(49)
    expect((await read()).json()).toEqual({ unreadCount: 0 })
  })

  test('is forgotten together with its marks', async () => {
    await sessions({ id: 'cs_1' })
    await read()
    t.clock.advance(31 * day)
    await runJob(t.ctx, 'purchases.forget')
    const { rows } = await t.ctx.pool.query('select purchase_id from purchase_reads')
    expect([rows, await unread()]).toEqual([[], []])
    t.clock.advance(-31 * day)
  })

  test.each([[{ ids: 'all' }], [{ id: 'x' }], [{ ids: Array(201).fill('x') }]])('refuses %j', async (body) => {
    expect((await read(body)).statusCode).toBe(400)
  })
})
