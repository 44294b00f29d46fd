import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { idsOf, inOrder, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

// More rows than a search looks at first, so that each of its ways is taken: out of the sample, along the order, by index.
const count = 3000
const newest = Date.parse('2026-11-20T00:00:00Z')
let t: TestContext

type Made = { id: string; name: string; email: string; created_at: string; description: string; amount: number }
const rows = Array.from({ length: count }, (_, index): Made => {
  const isOld = index > 2000
  const words = [
    index % 2 === 0 ? 'even' : 'odd',
    index % 50 === 0 ? 'fifty' : '',
    // The newest are full of it, and then none for a long time.
    index < 40 || index > 2900 ? 'cluster' : '',
    index % 700 === 699 ? 'Øre qz 東' : '',
    isOld ? 'ancient ж' : '',
  ]
  return {
    id: String(index).padStart(5, '0'),
    name: words.filter((word) => word !== '').join(' '),
    email: `p${index}@mail.test`,
    created_at: new Date(newest - index * 60_000).toISOString(),
    description: index % 900 === 17 ? 'Rare relocation' : index % 3 === 0 ? 'Subscription update' : `Order ${index}`,
    amount: ((index * 7919) % 500) + 1,
  }
})

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'products', [
    { id: 'prod_a', name: 'Common' },
    { id: 'prod_b', name: 'Precious' },
  ])
  await insertRows(
    pool,
    'customers',
    rows.map(({ id, name, email, created_at }) => ({ id: `cus_${id}`, name, email, created_at })),
  )
  await insertRows(
    pool,
    'payments',
    rows.map(({ id, created_at, description, amount }) => ({
      ...{ id: `pi_${id}`, customer_id: `cus_${id}`, created_at, description, amount, amount_captured: amount },
    })),
  )
  await insertRows(
    pool,
    'subscriptions',
    rows.map(({ id, created_at, amount }, index) => ({
      ...{ id: `sub_${id}`, customer_id: `cus_${id}`, product_id: index % 600 === 599 ? 'prod_b' : 'prod_a' },
      ...{ status: index % 4 === 0 ? 'cancelled' : 'active', created_at, amount },
    })),
  )
})
afterAll(() => t.close())

const get = async (path: string) => (await request(t.ctx).as('super_admin').get(path)).json()
const terms = [
  'even',
  'fifty',
  'cluster',
  'ancient',
  'ø',
  'qz',
  '東',
  'ж',
  'z',
  'e',
  'øre',
  'ncie',
  'mail.test',
  'p29',
  '2999',
  'nothing',
  '~',
  '%',
]
const has = (text: string, term: string) => text.toLowerCase().includes(term)

test.each(terms)('customers: %s', async (term) => {
  // The id is searched from three letters on.
  const isLong = /[a-z0-9]{3}/.test(term)
  const expected = rows
    .filter(({ id, name, email }) => has(name, term) || has(email, term) || (isLong && `cus_${id}`.includes(term)))
    .map((row) => ({ ...row, id: `cus_${row.id}` }))
  const search = encodeURIComponent(term)
  const byDate = inOrder(expected, (row) => row.created_at)
  expect(await readAllForward(get, `/stripe/customers?limit=100&search=${search}`, 'customers')).toEqual(byDate)
  expect(idsOf((await get(`/stripe/customers?limit=20&search=${search}&sort=created_at`)).customers)).toEqual(
    byDate.reverse().slice(0, 20),
  )
})

test.each(terms)('customers in another order and with a filter: %s', async (term) => {
  const isLong = /[a-z0-9]{3}/.test(term)
  const expected = rows
    .filter((_, index) => index % 4 !== 0)
    .filter(({ id, name, email }) => has(name, term) || has(email, term) || (isLong && `cus_${id}`.includes(term)))
    .map((row) => ({ ...row, id: `cus_${row.id}` }))
  const path = `/stripe/customers?limit=100&status=active&sort=-total_revenue&search=${encodeURIComponent(term)}`
  expect(await readAllForward(get, path, 'customers')).toEqual(inOrder(expected, (row) => row.amount))
})

test.each([...terms, 'relocation', 'order 1', 'update', 'subscription', 'or', 'rd'])('payments: %s', async (term) => {
  const expected = rows
    .filter(({ name, email, description }) => has(name, term) || has(email, term) || has(description, term))
    .map((row) => ({ ...row, id: `pi_${row.id}` }))
  const search = encodeURIComponent(term)
  const path = `/stripe/payments?limit=100&search=${search}`
  expect(await readAllForward(get, path, 'payments')).toEqual(inOrder(expected, (row) => row.created_at))
  const byAmount = inOrder(expected, (row) => row.amount)
  expect(idsOf((await get(`${path}&sort=-amount`)).payments)).toEqual(byAmount.slice(0, 100))
})

test.each([...terms, 'precious', 'common', 'prec', 'pr'])('subscriptions: %s', async (term) => {
  const expected = rows
    .filter(({ name, email }, index) => {
      return has(name, term) || has(email, term) || has(index % 600 === 599 ? 'precious' : 'common', term)
    })
    .map((row) => ({ ...row, id: `sub_${row.id}` }))
  const path = `/stripe/subscriptions?limit=100&search=${encodeURIComponent(term)}`
  expect(await readAllForward(get, path, 'subscriptions')).toEqual(inOrder(expected, (row) => row.created_at))
})

test('finds ids by their beginning', async () => {
  expect(idsOf((await get('/stripe/payments?search=pi_0299')).payments)).toEqual(
    idsOf(rows)
      .filter((id) => id.startsWith('0299'))
      .map((id) => `pi_${id}`),
  )
  expect(idsOf((await get('/stripe/subscriptions?search=sub_02999')).subscriptions)).toEqual(['sub_02999'])
})

test('follows a customer who is renamed, and a payment that is described anew', async () => {
  await t.ctx.pool.query(`update customers set name = 'Zebra Crossing' where id = 'cus_02500'`)
  await t.ctx.pool.query(`update payments set description = 'Quagga fence' where id = 'pi_02501'`)
  expect(idsOf((await get('/stripe/customers?search=zebra')).customers)).toEqual(['cus_02500'])
  expect(idsOf((await get('/stripe/payments?search=zebra')).payments)).toEqual(['pi_02500'])
  expect(idsOf((await get('/stripe/payments?search=quagga')).payments)).toEqual(['pi_02501'])
  expect(idsOf((await get('/stripe/customers?search=p2500@')).customers)).toEqual(['cus_02500'])
})
