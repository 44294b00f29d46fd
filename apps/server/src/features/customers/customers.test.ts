import type { Customer } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BillingRows, insertBillingRows, makeBillingRows } from '../../../test/billing-rows.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { idsOf, inOrder, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-11-21T12:00:00Z'
const live = ['active', 'trialing', 'past_due']
type Row = BillingRows['customers'][number]

let t: TestContext
let rows: BillingRows
let shown: Customer[]
beforeAll(async () => {
  t = await createTestContext({ now })
  rows = makeBillingRows(now)
  await insertBillingRows(t.ctx.pool, rows)
  await t.ctx.pool.query(`update customers set suspended_at = now() where id = $1`, [rows.customers[3]?.id])
  await t.ctx.pool.query(`update customers set deleted_at = now() where id = $1`, [rows.customers[4]?.id])
  shown = (await get('/stripe/customers?limit=100')).customers
})
afterAll(() => t.close())

const get = async (path: string) => (await request(t.ctx).as(['customers.read']).get(path)).json()
const subscriptionsOf = ({ id }: { id: string }) => rows.subscriptions.filter((row) => row.customer_id === id)

/** From the rows themselves, not from any total. */
function revenueOf({ id }: { id: string }, currency = 'usd'): number {
  const disputed = idsOf(rows.payments.filter((payment) => payment.disputed))
  const lost = (payment: string) => (disputed.indexOf(payment) % 2 === 0 ? 500 : 0)
  return rows.payments
    .filter(
      (row) => row.customer_id === id && row.currency === currency && ['succeeded', 'refunded'].includes(row.status),
    )
    .reduce((sum, row) => sum + row.amount_captured - row.amount_refunded - (row.disputed ? lost(row.id) : 0), 0)
}

function lastPaymentOf({ id }: { id: string }): string | null {
  const paid = rows.payments.filter((row) => row.customer_id === id && ['succeeded', 'refunded'].includes(row.status))
  return (
    paid
      .map((row) => row.created_at)
      .sort()
      .at(-1) ?? null
  )
}

function statusOf(row: Row): string {
  if (row.id === rows.customers[3]?.id) return 'suspended'
  const statuses = subscriptionsOf(row).map((subscription) => subscription.status)
  if (statuses.some((status) => live.includes(status))) return 'active'
  const isOver = statuses.length > 0 && statuses.every((status) => status === 'cancelled')
  return isOver || row.id === rows.customers[4]?.id ? 'cancelled' : 'pending'
}

test('shows every customer with status, revenue by currency and last payment', () => {
  expect(shown).toHaveLength(rows.customers.length)
  for (const row of rows.customers) {
    const customer = shown.find(({ id }) => id === row.id)
    expect(customer).toMatchObject({
      ...{ name: row.name, email: row.email, country: row.country, metadata: { company: row.company } },
      ...{ status: statusOf(row), total_revenue: revenueOf(row), currency: 'usd', deleted: row === rows.customers[4] },
    })
    expect(customer?.by_currency.find(({ currency }) => currency === 'eur')?.amount ?? 0).toBe(revenueOf(row, 'eur'))
    expect(customer?.by_currency[0]).toEqual({ amount: revenueOf(row), currency: 'usd' })
    expect(Date.parse(customer?.last_payment_date ?? '')).toEqual(Date.parse(lastPaymentOf(row) ?? ''))
  }
})

const sortName = (row: Row) =>
  (row.name || row.email || row.id)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()

function byName(isDescending: boolean): string[] {
  const sorted = [...rows.customers].sort((a, b) => {
    const byKey = Buffer.compare(Buffer.from(sortName(a)), Buffer.from(sortName(b)))
    return byKey || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
  })
  return idsOf(isDescending ? sorted.reverse() : sorted)
}

test.each([
  ['', () => inOrder(rows.customers, (row) => row.created_at)],
  ['sort=created_at', () => inOrder(rows.customers, (row) => row.created_at, false)],
  ['sort=name', () => byName(false)],
  ['sort=-name', () => byName(true)],
  ['sort=-total_revenue', () => inOrder(rows.customers, (row) => revenueOf(row))],
  ['sort=total_revenue', () => inOrder(rows.customers, (row) => revenueOf(row), false)],
  ['sort=-last_payment_date', () => inOrder(rows.customers, lastPaymentOf)],
  ['sort=last_payment_date', () => inOrder(rows.customers, lastPaymentOf, false)],
])('pages of any size forward and backward are the whole list in order: %s', async (sort, order) => {
  const expected = order()
  for (const limit of [1, 7, 60]) {
    const path = `/stripe/customers?limit=${limit}&${sort}`
    expect(await readAllForward(get, path, 'customers')).toEqual(expected)
    expect(await readAllBackward(get, path, 'customers', expected.at(-1))).toEqual(expected.slice(0, -1))
  }
})

const isBetween = (value: string | null, from: string, end: string) => value !== null && value >= from && value < end

test.each([
  ['status=active', (row) => statusOf(row) === 'active'],
  ['status=suspended', (row) => statusOf(row) === 'suspended'],
  ['status=cancelled', (row) => statusOf(row) === 'cancelled'],
  ['status=pending', (row) => statusOf(row) === 'pending'],
  ['status=all&country=de', (row) => row.country === 'DE'],
  ['account_type=free', (row) => !subscriptionsOf(row).some(({ status }) => live.includes(status))],
  [
    'plan=prod_1',
    (row) => subscriptionsOf(row).some((owned) => owned.product_id === 'prod_1' && live.includes(owned.status)),
  ],
  ['revenue_min=5000', (row) => revenueOf(row) >= 5000],
  ['revenue_min=1&revenue_max=5000', (row) => revenueOf(row) >= 1 && revenueOf(row) <= 5000],
  ['created_from=2026-10-01&created_to=2026-10-31', (row) => isBetween(row.created_at, '2026-10-01', '2026-11-01')],
  ['last_payment_from=2026-11-10', (row) => isBetween(lastPaymentOf(row), '2026-11-10', '9')],
  ['last_payment_to=2026-11-09', (row) => isBetween(lastPaymentOf(row), '0', '2026-11-10')],
  [
    'status=active&country=US&revenue_min=1',
    (row) => statusOf(row) === 'active' && row.country === 'US' && revenueOf(row) > 0,
  ],
] satisfies [string, (row: Row) => boolean][])('filters: %s', async (filter, holds) => {
  const expected = rows.customers.filter(holds)
  expect(expected.length).toBeGreaterThan(0)
  const byDate = inOrder(expected, (row) => row.created_at)
  expect(await readAllForward(get, `/stripe/customers?limit=7&${filter}`, 'customers')).toEqual(byDate)
  const byRevenue = inOrder(expected, (row) => revenueOf(row))
  expect(await readAllForward(get, `/stripe/customers?limit=7&sort=-total_revenue&${filter}`, 'customers')).toEqual(
    byRevenue,
  )
})

test('counts all customers or those of one status, and nothing else', async () => {
  expect((await get('/stripe/customers?limit=1')).total).toBe(rows.customers.length)
  const active = rows.customers.filter((row) => statusOf(row) === 'active')
  expect((await get('/stripe/customers?limit=1&status=active')).total).toBe(active.length)
  for (const filter of ['search=a', 'country=US', 'plan=prod_1', 'revenue_min=0'])
    expect((await get(`/stripe/customers?limit=1&${filter}`)).total).toBeNull()
})

test.each(['acme', 'ACME 100%', 'blue_d', 'ünal', 'ÜNAL', '_', '%', 'e', 'דו', '🙂', '&', 'söhne', 'zz zz'])(
  'searches name, email and company: %s',
  async (term) => {
    const wanted = term.toLowerCase()
    const expected = rows.customers.filter((row) =>
      [row.name, row.email, row.company].some((text) => text?.toLowerCase().includes(wanted)),
    )
    const path = `/stripe/customers?limit=9&search=${encodeURIComponent(term)}`
    expect(await readAllForward(get, path, 'customers')).toEqual(inOrder(expected, (row) => row.created_at))
  },
)

test('finds a customer by id or a part of it, without case', async () => {
  const id = rows.customers[10]?.id ?? ''
  for (const term of [id, id.slice(4), id.toUpperCase()])
    expect(idsOf((await get(`/stripe/customers?search=${term}`)).customers)).toContain(id)
})

test('lists countries by the number of their customers', async () => {
  const expected = ['US', 'DE', 'JP']
    .map((country) => ({ country, customers: rows.customers.filter((row) => row.country === country).length }))
    .sort((a, b) => b.customers - a.customers || (a.country < b.country ? -1 : 1))
  expect((await get('/stripe/customers-countries')).countries).toEqual(expected)
})

test.each([
  ['limit=0', 'limit'],
  ['status=archived', 'status'],
  ['sort=email', 'sort'],
  ['country=USA', 'country'],
  ['revenue_min=ten', 'revenue_min'],
  ['created_to=2026-13-01', 'created_to'],
  ['starting_after=cus_none', 'starting_after'],
  ['color=red', 'color'],
])('refuses %s and names the parameter', async (query, parameter) => {
  const answer = await request(t.ctx).as('admin').get(`/stripe/customers?${query}`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'invalid_request', parameter })
})

test.each(['', '/cus_1', '/cus_1/activity'])('needs customers.read: %s', async (path) => {
  expect((await request(t.ctx).as(['billing.read']).get(`/stripe/customers${path}`)).statusCode).toBe(403)
})

test('says what open invoices ask for in each currency, finds those who owe, and puts the most first', async () => {
  const [most, less, none, settled] = rows.customers.map(({ id }) => id)
  const invoice = (id: string, customer_id: string, amount_remaining: number, part: object = {}) => ({
    ...{ id, customer_id, status: 'open', currency: 'usd', attempt_count: 0, created_at: now },
    ...{ amount_due: amount_remaining, amount_paid: 0, amount_remaining, ...part },
  })
  await insertRows(t.ctx.pool, 'invoices', [
    invoice('in_1', most!, 30_000),
    invoice('in_2', most!, 1600),
    invoice('in_3', most!, 500, { currency: 'eur' }),
    invoice('in_4', less!, 700),
    invoice('in_5', none!, 900, { status: 'draft' }),
    invoice('in_6', settled!, 0),
  ])
  const owing = async (query = '') =>
    ((await get(`/stripe/customers?limit=100&${query}`)).customers as Customer[]).map(({ id, owes }) => ({ id, owes }))
  const expected = [
    {
      id: most,
      owes: [
        { amount: 31_600, currency: 'usd' },
        { amount: 500, currency: 'eur' },
      ],
    },
    { id: less, owes: [{ amount: 700, currency: 'usd' }] },
  ]
  expect(await owing('owes=yes&sort=-owes')).toEqual(expected)
  expect((await owing('sort=-owes')).slice(0, 2)).toEqual(expected)
  expect((await owing()).filter(({ owes }) => owes.length > 0)).toHaveLength(2)
  await t.ctx.pool.query(`update invoices set status = 'paid', amount_remaining = 0 where id in ('in_1', 'in_3')`)
  await t.ctx.pool.query(`delete from invoices where id = 'in_4'`)
  expect(await owing('owes=yes')).toEqual([{ id: most, owes: [{ amount: 1600, currency: 'usd' }] }])
})

test.each(['-created_at', 'name', '-total_revenue', '-last_payment_date', '-owes'])(
  'a search within dates is answered in the order %s',
  async (sort) => {
    const [one] = rows.customers
    const path = `/stripe/customers?search=${encodeURIComponent(one!.id)}&created_from=2020-01-01&sort=${sort}`
    expect(idsOf((await get(path)).customers)).toEqual([one!.id])
  },
)
