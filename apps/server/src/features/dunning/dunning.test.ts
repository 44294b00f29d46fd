import type { Dunning, FailedInvoice } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { exportFile } from '../../../test/exports.ts'
import { idsOf, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-11-21T12:00:00Z'
const path = '/stripe/dunning'
type Row = Record<string, unknown>

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now })
})
afterAll(() => t.close())
beforeEach(async () => {
  for (const table of ['invoices', 'invoice_payments', 'payments', 'charges', 'subscriptions', 'customers'])
    await t.ctx.pool.query(`delete from ${table}`)
})

const insert = (table: Parameters<typeof insertRows>[1], ...rows: Row[]) => insertRows(t.ctx.pool, table, rows)
const get = async (query = '') => {
  const answer = await request(t.ctx).as('super_admin').get(`${path}${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const list = async (query = ''): Promise<FailedInvoice[]> => (await get(query)).invoices
const figures = (): Promise<Dunning> => get('/figures')

const open = { status: 'open', amount_due: 4000, amount_paid: 0, amount_remaining: 4000 }
/** An invoice, the payment that was tried for it, and the charges of that. */
async function failing(id: string, { invoice = {}, payment = {}, charges = [{}] as Row[] } = {}): Promise<void> {
  await insert('invoices', { id: `in_${id}`, customer_id: 'cus_1', ...open, ...invoice })
  await insert('payments', {
    ...{
      id: `pi_${id}`,
      customer_id: 'cus_1',
      amount: 4000,
      status: 'failed',
      stripe_status: 'requires_payment_method',
    },
    ...{
      counts_as_failed: true,
      failure_code: 'insufficient_funds',
      failure_message: 'Your card has insufficient funds.',
    },
    ...payment,
  })
  await insert('invoice_payments', {
    id: `inpay_${id}`,
    invoice_id: `in_${id}`,
    payment_id: `pi_${id}`,
    status: 'open',
  })
  const failed = { payment_id: `pi_${id}`, status: 'failed', created_at: '2026-11-18T10:00:00Z' }
  await insert('charges', ...charges.map((charge, index) => ({ id: `ch_${id}_${index}`, ...failed, ...charge })))
}

describe('the list', () => {
  test('shows who owes what, why the bank refused, and when it is tried again', async () => {
    await insert('customers', { id: 'cus_1', name: 'Pinecrest Dental', email: 'billing@pinecrest.example' })
    await insert('subscriptions', {
      id: 'sub_1',
      customer_id: 'cus_1',
      status: 'past_due',
      plan_nickname: 'Starter Care',
    })
    const collected = { collection_method: 'charge_automatically' }
    await failing('1', {
      invoice: {
        ...{ number: 'PD-0007', subscription_id: 'sub_1', attempt_count: 2, raw: collected },
        next_attempt_at: '2026-11-23T10:00:00Z',
      },
      charges: [{ created_at: '2026-11-13T10:00:00Z' }, { created_at: '2026-11-18T10:00:00Z' }],
    })
    expect(await list()).toMatchObject([
      {
        ...{ id: 'in_1', number: 'PD-0007', customer_name: 'Pinecrest Dental', amount_remaining: 4000 },
        ...{ plan_name: 'Starter Care', subscription_status: 'past_due', payment_id: 'pi_1', attempt_count: 2 },
        ...{ failure_code: 'insufficient_funds', failure_message: 'Your card has insufficient funds.' },
        ...{ failed_at: '2026-11-18T10:00:00Z', next_attempt_at: '2026-11-23T10:00:00Z', needs_customer: false },
        refusals: { pay: null, mark_paid: null, void: null, mark_uncollectible: null },
      },
    ])
  })

  test('leaves out what is paid, what was never tried, and what a bank is still working on', async () => {
    await insert('customers', { id: 'cus_1' })
    await failing('kept')
    await failing('paid', { invoice: { status: 'paid', amount_remaining: 0 } })
    await failing('void', { invoice: { status: 'void' } })
    await failing('untried', { invoice: { attempt_count: 0 } })
    await failing('debit', { payment: { status: 'processing', stripe_status: 'processing' }, charges: [] })
    await failing('gone', { invoice: { deleted_at: now } })
    expect(idsOf(await list())).toEqual(['in_kept'])
  })

  test('says what it knows where nothing was told: no reason, no payment, or a customer who must confirm', async () => {
    await insert('customers', { id: 'cus_1' })
    await insert('invoices', { id: 'in_bare', customer_id: 'cus_1', ...open })
    const silent = { failure_code: null, failure_message: null, counts_as_failed: false, status: 'pending' }
    await failing('wait', { payment: { ...silent, stripe_status: 'requires_action' }, charges: [] })
    const told = await list('?sort=created_at')
    expect(told.find(({ id }) => id === 'in_bare')).toMatchObject({
      ...{ payment_id: null, failure_code: null, failure_message: null, failed_at: null, next_attempt_at: null },
      needs_customer: false,
    })
    expect(told.find(({ id }) => id === 'in_wait')).toMatchObject({ needs_customer: true, failure_message: null })
  })

  test('filters by state, customer and currency, and finds by customer, number and id', async () => {
    await insert(
      'customers',
      { id: 'cus_1', name: 'Pinecrest Dental', email: 'billing@pinecrest.example' },
      { id: 'cus_2', name: 'Castine Chandlery', email: 'hello@castine.example' },
    )
    await failing('a', { invoice: { number: 'PD-0001', next_attempt_at: '2026-11-24T00:00:00Z' } })
    await failing('b', { invoice: { number: 'CC-0001', customer_id: 'cus_2', currency: 'eur' } })
    const found = async (query: string) => idsOf(await list(query)).sort()
    expect(await found('?state=retrying')).toEqual(['in_a'])
    expect(await found('?state=stopped')).toEqual(['in_b'])
    expect(await found('?customer=cus_2')).toEqual(['in_b'])
    expect(await found('?currency=eur')).toEqual(['in_b'])
    expect(await found('?search=pinecrest')).toEqual(['in_a'])
    expect(await found('?search=cc-00')).toEqual(['in_b'])
    expect(await found('?search=in_a')).toEqual(['in_a'])
    expect(await found('?search=nobody')).toEqual([])
    expect((await request(t.ctx).as('super_admin').get(`${path}?state=lost`)).statusCode).toBe(400)
    expect((await request(t.ctx).as('support').get(path)).statusCode).toBe(403)
  })

  test.each([
    ['', (row: Row) => String(row['next_attempt_at'] ?? '9'), false],
    ['sort=-amount_remaining', (row: Row) => Number(row['amount_remaining']), true],
    ['sort=-created_at', (row: Row) => String(row['created_at']), true],
    ['sort=-next_attempt_at&search=many', (row: Row) => String(row['next_attempt_at'] ?? '9'), true],
  ])('pages forward and backward are the whole list in order: %s', async (sort, keyOf, isDescending) => {
    await insert('customers', { id: 'cus_1', name: 'Many Ltd', email: 'many@example.com' })
    const rows = Array.from({ length: 53 }, (_, index) => ({
      ...{ id: `in_${String((index * 17) % 53).padStart(2, '0')}`, customer_id: 'cus_1', ...open },
      amount_remaining: 100 + (index % 5),
      created_at: `2026-10-${String(1 + (index % 7)).padStart(2, '0')}T00:00:00.000Z`,
      ...(index % 3 > 0 && { next_attempt_at: `2026-12-0${1 + (index % 4)}T00:00:00.000Z` }),
    }))
    await insert('invoices', ...rows)
    const sign = isDescending ? -1 : 1
    const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0)
    const inOrder = idsOf(rows.toSorted((a, b) => compare(keyOf(a), keyOf(b)) || compare(a.id, b.id)))
    const page = async (address: string) => (await request(t.ctx).as('super_admin').get(address)).json()
    const address = `${path}?limit=10&${sort}`
    expect(await readAllForward(page, address, 'invoices')).toEqual(inOrder)
    expect(await readAllBackward(page, address, 'invoices', inOrder.at(-1))).toEqual(inOrder.slice(0, -1))
  })

  test('is exported as it is listed', async () => {
    await insert('customers', { id: 'cus_1', name: 'Pinecrest Dental' })
    await failing('a', { invoice: { number: 'PD-0001', next_attempt_at: '2026-11-24T00:00:00Z' } })
    await failing('b', { invoice: { number: 'PD-0002' } })
    const order = { kind: 'dunning', format: 'json', parameters: { state: 'retrying' } } as const
    expect(JSON.parse((await exportFile(t, order)).body.toString())).toMatchObject([
      { customer_name: 'Pinecrest Dental', number: 'PD-0001', next_attempt_at: '2026-11-24T00:00:00Z' },
    ])
  })
})

describe('the figures', () => {
  test('are what is at stake by currency, and what came in this month after a failed try', async () => {
    await insert('customers', { id: 'cus_1' })
    await failing('a', { invoice: { next_attempt_at: '2026-11-24T00:00:00Z' } })
    await failing('b')
    await failing('c', { invoice: { currency: 'eur', amount_remaining: 900, next_attempt_at: '2026-11-22T00:00:00Z' } })
    await failing('debit', { payment: { status: 'processing' }, charges: [] })
    const paid = { status: 'paid', amount_paid: 4000, amount_remaining: 0 }
    const succeeded = { status: 'succeeded', amount_captured: 4000, counts_as_failed: false }
    const before = [{ created_at: '2026-10-29T00:00:00Z' }]
    await failing('won', { invoice: { ...paid, paid_at: '2026-11-02T00:00:00Z' }, payment: succeeded, charges: before })
    await failing('last', {
      invoice: { ...paid, paid_at: '2026-10-31T23:59:59Z' },
      payment: succeeded,
      charges: before,
    })
    await failing('easy', { invoice: { ...paid, paid_at: '2026-11-03T00:00:00Z' }, payment: succeeded, charges: [] })
    const none = { recovered: 0, recovered_invoices: 0 }
    expect(await figures()).toMatchObject({
      currency: 'usd',
      by_currency: [
        { currency: 'usd', at_stake: 8000, retrying: 1, stopped: 1, recovered: 4000, recovered_invoices: 1 },
        { currency: 'eur', at_stake: 900, retrying: 1, stopped: 0, ...none },
      ],
      next_attempt_at: '2026-11-22T00:00:00Z',
      month_start: '2026-11-01T00:00:00Z',
    })
  })

  test('are zero where nothing failed', async () => {
    expect(await figures()).toMatchObject({
      by_currency: [{ currency: 'usd', at_stake: 0, retrying: 0, stopped: 0, recovered: 0, recovered_invoices: 0 }],
      next_attempt_at: null,
    })
  })
})
