import type { CustomerDetails } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'products', [{ id: 'prod_a', name: 'Business' }])
  await insertRows(pool, 'customers', [
    { id: 'cus_1', name: '<b>Ada</b>', metadata: { company: 'Acme', note: '<script>1</script>' }, company: 'Acme' },
    { id: 'cus_2', name: 'Empty' },
  ])
  await insertRows(pool, 'subscriptions', [
    {
      ...{ id: 'sub_1', customer_id: 'cus_1', product_id: 'prod_a', amount: 2500, created_at: '2026-02-01T00:00:00Z' },
      ...{ status: 'cancelled', cancelled_at: '2026-05-01T00:00:00Z', ended_at: '2026-06-01T00:00:00Z' },
    },
    {
      ...{ id: 'sub_2', customer_id: 'cus_1', product_id: 'prod_a', amount: 900, created_at: '2026-07-01T00:00:00Z' },
      ...{ status: 'cancelled', cancelled_at: '2026-08-01T00:00:00Z', ended_at: '2026-08-01T00:00:00Z' },
    },
  ])
  await insertRows(
    pool,
    'payments',
    Array.from({ length: 30 }, (_, index) => ({
      ...{ id: `pi_${index}`, customer_id: 'cus_1', amount_captured: 1000, description: `Order ${index}` },
      // Three of the same instant each.
      created_at: new Date(Date.parse('2026-03-01T00:00:00Z') + Math.floor(index / 3) * 3_600_000),
    })),
  )
  await insertRows(pool, 'refunds', [
    { id: 're_1', payment_id: 'pi_1', amount: 250, reason: 'duplicate', created_at: '2026-03-20T00:00:00Z' },
  ])
  await insertRows(pool, 'disputes', [
    { id: 'dp_1', payment_id: 'pi_2', reason: 'fraudulent', created_at: '2026-03-21T00:00:00Z' },
  ])
  await insertRows(pool, 'invoices', [
    {
      id: 'in_1',
      customer_id: 'cus_1',
      number: 'A-1',
      created_at: '2026-02-01T00:00:00Z',
      hosted_invoice_url: 'javascript:alert(1)',
    },
    {
      id: 'in_2',
      customer_id: 'cus_1',
      number: 'A-2',
      created_at: '2026-03-01T00:00:00Z',
      hosted_invoice_url: 'https://pay/2',
    },
  ])
  const audit = { resource_type: 'payment', resource_id: 'pi_1', actor_name: 'Grace' }
  await insertRows(pool, 'audit_entries', [
    {
      ...audit,
      action: 'payment.refund',
      at: '2026-03-20T00:00:00Z',
      after: { amount: 250, currency: 'usd', state: 'requested' },
    },
    { ...audit, resource_id: 'pi_of_somebody_else', action: 'payment.refund', at: '2026-03-20T00:00:00Z' },
  ])
})
afterAll(() => t.close())

const caller = () => request(t.ctx).as(['customers.read'])

test('shows all metadata, subscriptions, the newest payments and invoices', async () => {
  const customer = (await caller().get('/stripe/customers/cus_1')).json().customer as CustomerDetails
  expect(customer).toMatchObject({ name: '<b>Ada</b>', metadata: { company: 'Acme', note: '<script>1</script>' } })
  expect(customer.subscriptions.map(({ id, plan_name }) => [id, plan_name])).toEqual([
    ['sub_2', 'Business'],
    ['sub_1', 'Business'],
  ])
  expect(customer.payments).toHaveLength(25)
  expect(customer.payments[0]?.id).toBe('pi_29')
  expect(customer.invoices.map(({ id, hosted_invoice_url }) => [id, hosted_invoice_url])).toEqual([
    ['in_2', 'https://pay/2'],
    ['in_1', null],
  ])
})

test('answers 404 for a customer that is not there', async () => {
  for (const path of ['/stripe/customers/cus_none', '/stripe/customers/cus_none/activity'])
    expect((await caller().get(path)).json()).toMatchObject({ status: 404, code: 'not_found' })
})

type Entry = { id: string; kind: string; at: string; title: string; actor: string | null; amount: number | null }

async function readActivity(limit: number): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let before: string | null = ''; before !== null; ) {
    const cursor: string = before === '' ? '' : `&before=${encodeURIComponent(before)}`
    const page: { entries: Entry[]; has_more: boolean; next: string | null } = (
      await caller().get(`/stripe/customers/cus_1/activity?limit=${limit}${cursor}`)
    ).json()
    entries.push(...page.entries)
    expect(page.has_more).toBe(page.next !== null)
    before = page.next
  }
  return entries
}

test('merges what happened, newest first, and pages through it without loss or repetition', async () => {
  const whole = await readActivity(100)
  // 30 payments, 1 refund, 1 dispute, 2 invoices, 2 starts, 2 ends, 1 cancellation before its end, 1 action.
  expect(whole).toHaveLength(40)
  expect(new Set(whole.map(({ id }) => id)).size).toBe(40)
  expect(whole.map(({ at }) => Date.parse(at))).toEqual(whole.map(({ at }) => Date.parse(at)).sort((a, b) => b - a))
  for (const limit of [1, 3, 7, 39, 40]) expect(await readActivity(limit)).toEqual(whole)
})

test('says who did what', async () => {
  const entries = await readActivity(100)
  expect(entries.find(({ kind }) => kind === 'action')).toMatchObject({
    ...{ title: 'Refund requested', actor: 'Grace', amount: 250 },
  })
  const titles = entries.filter(({ kind }) => kind === 'subscription').map(({ title }) => title)
  expect(titles).toEqual([
    'Subscription ended',
    'Subscription created',
    'Subscription ended',
    'Cancellation of the subscription requested',
    'Subscription created',
  ])
})

test('is empty for a customer with whom nothing happened', async () => {
  expect((await caller().get('/stripe/customers/cus_2/activity')).json()).toEqual({
    ...{ entries: [], has_more: false, next: null },
  })
})

test.each(['limit=0', 'limit=101', 'before=yesterday', 'before=2026-01-01T00:00:00Z', 'before='])(
  'refuses %s',
  async (query) => {
    const answer = await caller().get(`/stripe/customers/cus_1/activity?${query}`)
    expect(answer.json()).toMatchObject({ status: 400, parameter: query.split('=')[0] })
  },
)
