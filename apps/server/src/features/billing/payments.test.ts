import fc from 'fast-check'
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
const byDate = (row: BillingRows['payments'][number]) => row.created_at

test.each([
  ['', (row: BillingRows['payments'][number]) => row.created_at, true],
  ['sort=created_at', (row: BillingRows['payments'][number]) => row.created_at, false],
  ['sort=-amount', (row: BillingRows['payments'][number]) => row.amount, true],
  ['sort=amount', (row: BillingRows['payments'][number]) => row.amount, false],
] as const)(
  'pages of any size forward and backward are the whole list in order: %s',
  async (sort, key, isDescending) => {
    const expected = inOrder(rows.payments, key, isDescending)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 7, max: 100 }), async (limit) => {
        const path = `/stripe/payments?limit=${limit}&${sort}`
        expect(await readAllForward(get, path, 'payments')).toEqual(expected)
        expect(await readAllBackward(get, path, 'payments', expected.at(-1))).toEqual(expected.slice(0, -1))
      }),
      { numRuns: 6 },
    )
  },
)

const nameOf = (row: BillingRows['payments'][number]) =>
  rows.customers.find((customer) => customer.id === row.customer_id)

test.each([
  ['status=failed', (row) => row.status === 'failed'],
  ['status=all', () => true],
  ['status=refunded&sort=-created_at', (row) => row.status === 'refunded'],
  ['disputed=true', (row) => row.disputed],
  [
    'created_from=2026-10-01&created_to=2026-10-31',
    (row) => row.created_at >= '2026-10-01' && row.created_at < '2026-11-01',
  ],
  ['refundable=true', (row) => row.status === 'succeeded' && row.amount > row.amount_refunded + lostOf(row.id)],
] satisfies [string, (row: BillingRows['payments'][number]) => boolean][])('filters: %s', async (filter, holds) => {
  const expected = inOrder(rows.payments.filter(holds), byDate)
  expect(await readAllForward(get, `/stripe/payments?limit=50&${filter}`, 'payments')).toEqual(expected)
  expect(expected.length).toBeGreaterThan(0)
})

const lostOf = (id: string) => {
  const disputed = rows.payments.filter((payment) => payment.disputed)
  const index = disputed.findIndex((payment) => payment.id === id)
  return index >= 0 && index % 2 === 0 ? 500 : 0
}

test('filters by customer, and by subscription through its invoices', async () => {
  const [subscription] = rows.subscriptions
  const [first, second] = rows.payments
  await insertRows(t.ctx.pool, 'invoices', [{ id: 'in_1', subscription_id: subscription?.id }])
  await insertRows(t.ctx.pool, 'invoice_payments', [
    { id: 'ip_1', invoice_id: 'in_1', payment_id: first?.id },
    { id: 'ip_2', invoice_id: 'in_1', payment_id: second?.id },
  ])
  const found = await get(`/stripe/payments?subscription=${subscription?.id}`)
  expect(idsOf(found.payments).sort()).toEqual([first?.id, second?.id].sort())
  const customer = rows.payments.find((payment) => payment.customer_id)?.customer_id
  const theirs = rows.payments.filter((payment) => payment.customer_id === customer)
  expect(idsOf((await get(`/stripe/payments?limit=100&customer=${customer}`)).payments)).toEqual(
    inOrder(theirs, byDate),
  )
})

test.each([
  ...[
    'ada',
    'ADA LOVE',
    'émile',
    'ÉMILE',
    '%',
    '100%',
    '_',
    'under_',
    '\\',
    'back\\',
    'x',
    'דוד',
    'לוי',
    '田',
    '田中 太',
    '🙂',
    'ольга',
    'æs',
  ],
  ...[
    'jo',
    "o'c",
    'subscription',
    'ü',
    'a_7',
    'nothing at all',
    '%%',
    'e@',
    'ex_ample',
    '<script>',
    '  zoë  ',
    'a',
    'te',
  ],
])('searches name, email and description without case and without wildcards: %s', async (term) => {
  const wanted = term.trim().toLowerCase()
  const expected = rows.payments.filter((row) => {
    const owner = nameOf(row)
    return [owner?.name, owner?.email, row.description].some((text) => text?.toLowerCase().includes(wanted))
  })
  const path = `/stripe/payments?limit=100&search=${encodeURIComponent(term)}`
  expect(await readAllForward(get, path, 'payments')).toEqual(inOrder(expected, byDate))
})

test('finds a payment by its id, by the beginning of it and by its charge', async () => {
  await insertRows(t.ctx.pool, 'payments', [
    { id: 'pi_3Exact0', latest_charge_id: 'ch_3Exact0', created_at: '2020-01-01' },
  ])
  for (const term of ['pi_3Exact0', 'pi_3Ex', 'ch_3Exact0'])
    expect(idsOf((await get(`/stripe/payments?search=${term}`)).payments)).toEqual(['pi_3Exact0'])
  await t.ctx.pool.query(`delete from payments where id = 'pi_3Exact0'`)
})

test('combines search, filters, order and cursor', async () => {
  const expected = rows.payments.filter(
    (row) => row.status === 'succeeded' && nameOf(row)?.name?.toLowerCase().includes('a'),
  )
  const path = '/stripe/payments?limit=7&search=Ada&status=succeeded&sort=-amount'
  const ada = expected.filter((row) => nameOf(row)?.name?.toLowerCase().includes('ada'))
  expect(ada.length).toBeGreaterThan(7)
  expect(await readAllForward(get, path, 'payments')).toEqual(inOrder(ada, (row) => row.amount))
})

test('counts all, or those of one status, and nothing else', async () => {
  expect((await get('/stripe/payments?limit=1')).total).toBe(rows.payments.length)
  const failed = rows.payments.filter((payment) => payment.status === 'failed')
  expect((await get('/stripe/payments?limit=1&status=failed')).total).toBe(failed.length)
  expect((await get('/stripe/payments?limit=1&search=ada')).total).toBeNull()
  expect((await get('/stripe/payments?limit=1&disputed=true')).total).toBeNull()
})

test('takes off what refunds under way have claimed, and never goes below zero', async () => {
  const payment = rows.payments.find((row) => row.status === 'succeeded' && !row.disputed && row.amount === 2500)!
  const claim = (id: string, amount: number) => ({
    id,
    kind: 'refund',
    target_id: payment.id,
    amount,
    provider_key: id,
  })
  await insertRows(t.ctx.pool, 'money_actions', [claim('a1', 400)])
  const shown = async () => (await get(`/stripe/payments/${payment.id}`)).payment.refundable_amount
  await expect.poll(shown).toBe(2500 - payment.amount_refunded - 400)
  await insertRows(t.ctx.pool, 'money_actions', [claim('a2', 9000)])
  await expect.poll(shown).toBe(0)
  await t.ctx.pool.query('delete from money_actions')
})

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['status=paid', 'status'],
  ['sort=customer', 'sort'],
  ['starting_after=pi_none', 'starting_after'],
  ['ending_before=pi_none', 'ending_before'],
  ['starting_after=%00', 'starting_after'],
  ['created_from=yesterday', 'created_from'],
  ['page=2', 'page'],
  [`search=${'a'.repeat(201)}`, 'search'],
])('refuses %s and names the parameter', async (query, parameter) => {
  const answer = await caller().get(`/stripe/payments?${query}`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'invalid_request', parameter })
})

test('refuses two cursors at once', async () => {
  const [a, b] = rows.payments
  const answer = await caller().get(`/stripe/payments?starting_after=${a?.id}&ending_before=${b?.id}`)
  expect(answer.json()).toMatchObject({ status: 400, parameter: 'ending_before' })
})

test('needs billing.read', async () => {
  for (const path of ['/stripe/payments', `/stripe/payments/${rows.payments[0]?.id}`])
    expect((await request(t.ctx).as(['customers.read']).get(path)).statusCode).toBe(403)
})

test('shows the card that was charged, and the one that was refused before there was a charge', async () => {
  const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2027 }
  const odd = { brand: 'visa', last4: '0341', exp_month: 'soon', exp_year: 20270 }
  await insertRows(t.ctx.pool, 'payments', [
    { id: 'pi_card', customer_id: 'cus_card', latest_charge_id: 'ch_card' },
    { id: 'pi_refused', customer_id: 'cus_card', raw: { last_payment_error: { payment_method: { card: odd } } } },
    { id: 'pi_debit', customer_id: 'cus_card', latest_charge_id: 'ch_debit', payment_method_type: 'sepa_debit' },
  ])
  await insertRows(t.ctx.pool, 'charges', [
    { id: 'ch_card', payment_id: 'pi_card', raw: { payment_method_details: { type: 'card', card: visa } } },
    { id: 'ch_debit', payment_id: 'pi_debit', raw: { payment_method_details: { type: 'sepa_debit' } } },
  ])
  const { payments } = await get('/stripe/payments?customer=cus_card')
  const cardOf = (id: string) => payments.find((each: { id: string }) => each.id === id).card
  expect(cardOf('pi_card')).toEqual(visa)
  expect(cardOf('pi_refused')).toEqual({ brand: 'visa', last4: '0341', exp_month: null, exp_year: null })
  expect(cardOf('pi_debit')).toBeNull()
})
