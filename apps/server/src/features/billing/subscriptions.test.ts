import type { Subscription } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BillingRows, insertBillingRows, makeBillingRows } from '../../../test/billing-rows.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { idsOf, inOrder, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-11-21T12:00:00Z'
let t: TestContext
let rows: BillingRows
beforeAll(async () => {
  t = await createTestContext({ now })
  rows = makeBillingRows(now)
  await insertBillingRows(t.ctx.pool, rows)
})
afterAll(() => t.close())

const caller = () => request(t.ctx).as('super_admin')
const get = async (path: string) => (await caller().get(path)).json()
const byDate = (row: BillingRows['subscriptions'][number]) => row.created_at
const ownerOf = (row: BillingRows['subscriptions'][number]) =>
  rows.customers.find((customer) => customer.id === row.customer_id)
const planOf = (row: BillingRows['subscriptions'][number]) =>
  rows.products.find((product) => product.id === row.product_id)

test.each([
  ['', byDate, true],
  ['sort=-amount', (row) => row.amount, true],
  ['sort=current_period_end', (row) => row.current_period_end, false],
  ['sort=-current_period_end', (row) => row.current_period_end, true],
] satisfies [string, (row: BillingRows['subscriptions'][number]) => string | number | null, boolean][])(
  'pages of any size are the whole list in order, absent values at one end: %s',
  async (sort, key, isDescending) => {
    const expected = inOrder(rows.subscriptions, key, isDescending)
    for (const limit of [1, 13, 100]) {
      const path = `/stripe/subscriptions?limit=${limit}&${sort}`
      expect(await readAllForward(get, path, 'subscriptions')).toEqual(expected)
      expect(await readAllBackward(get, path, 'subscriptions', expected.at(-1))).toEqual(expected.slice(0, -1))
    }
  },
)

test.each(['active', 'trialing', 'past_due', 'cancelled', 'unpaid', 'incomplete', 'paused'])(
  'filters by status %s and counts it',
  async (status) => {
    const expected = rows.subscriptions.filter((row) => row.status === status)
    const found = await get(`/stripe/subscriptions?limit=100&status=${status}`)
    expect(idsOf(found.subscriptions)).toEqual(inOrder(expected, byDate))
    expect(found.total).toBe(expected.length)
  },
)

test('filters by plan and by customer', async () => {
  const [{ product_id, customer_id } = { product_id: '', customer_id: '' }] = rows.subscriptions
  expect(idsOf((await get(`/stripe/subscriptions?limit=100&plan=${product_id}`)).subscriptions)).toEqual(
    inOrder(
      rows.subscriptions.filter((row) => row.product_id === product_id),
      byDate,
    ),
  )
  expect(idsOf((await get(`/stripe/subscriptions?customer=${customer_id}`)).subscriptions)).toEqual(
    inOrder(
      rows.subscriptions.filter((row) => row.customer_id === customer_id),
      byDate,
    ),
  )
})

test.each(['ada', 'business', '100%', 'größe', 'GRÖßE', 'st', 'e', '_', '\\', 'דוד', '🙂', 'no such plan', 'person1@'])(
  'searches customer and plan: %s',
  async (term) => {
    const wanted = term.toLowerCase()
    const expected = rows.subscriptions.filter((row) =>
      [ownerOf(row)?.name, ownerOf(row)?.email, planOf(row)?.name].some((text) => text?.toLowerCase().includes(wanted)),
    )
    const path = `/stripe/subscriptions?limit=100&search=${encodeURIComponent(term)}`
    expect(await readAllForward(get, path, 'subscriptions')).toEqual(inOrder(expected, byDate))
  },
)

test('calls a plan by the nickname of its price while its product is not known', async () => {
  await insertRows(t.ctx.pool, 'subscriptions', [
    {
      id: 'sub_nick',
      customer_id: 'cus_none',
      product_id: 'prod_none',
      plan_nickname: 'Legacy Gold',
      created_at: '2020-01-01',
    },
    { id: 'sub_bare', customer_id: 'cus_none', plan_nickname: 'Legacy Silver', created_at: '2020-01-01' },
  ])
  for (const [term, id] of [
    ['legacy gold', 'sub_nick'],
    ['silver', 'sub_bare'],
  ]) {
    const [found] = (await get(`/stripe/subscriptions?search=${term}`)).subscriptions as Subscription[]
    expect(found).toMatchObject({ id, plan_name: expect.stringContaining('Legacy'), customer_name: null })
  }
  expect(idsOf((await get('/stripe/subscriptions?search=sub_nick')).subscriptions)).toEqual(['sub_nick'])
  await t.ctx.pool.query(`delete from subscriptions where customer_id = 'cus_none'`)
})

test('shows each half of a minor unit rounded to even', async () => {
  const found = (await get('/stripe/subscriptions?limit=100&status=active')).subscriptions as Subscription[]
  // 1000.5 → 1000, 2500.5 → 2500, 9900.5 → 9900.
  for (const { mrr, amount } of found) expect(mrr).toBe(amount)
})

test.each([
  ['status=canceled', 'status'],
  ['sort=plan', 'sort'],
  ['starting_after=cus_1', 'starting_after'],
])('refuses %s', async (query, parameter) => {
  expect((await caller().get(`/stripe/subscriptions?${query}`)).json()).toMatchObject({ status: 400, parameter })
})

test('needs billing.read', async () => {
  for (const path of ['/stripe/subscriptions', `/stripe/subscriptions/${rows.subscriptions[0]?.id}`])
    expect((await request(t.ctx).as('support').get(path)).statusCode).toBe(403)
})
