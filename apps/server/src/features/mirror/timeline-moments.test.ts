import type { TimelineEntry } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { insertEvent } from './queries/events.ts'

let t: TestContext
let number = 0
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  await insertRows(t.ctx.pool, 'products', [
    { id: 'prod_a', name: 'Starter' },
    { id: 'prod_b', name: 'Business' },
  ])
  await insertRows(t.ctx.pool, 'prices', [
    { id: 'price_a', product_id: 'prod_a' },
    { id: 'price_b', product_id: 'prod_b', interval: 'year' },
  ])
  await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_1' }])
  await insertRows(t.ctx.pool, 'subscriptions', [
    { id: 'sub_1', customer_id: 'cus_1', product_id: 'prod_b', cancelled_at: '2026-11-10T10:00:00Z' },
  ])
  await insertRows(t.ctx.pool, 'invoices', [{ id: 'in_1', customer_id: 'cus_1', number: 'A-1' }])
})
afterAll(() => t.close())
beforeEach(() => t.ctx.pool.query('delete from customer_moments'))

const items = (price: string, quantity = 1, end = 1) => ({
  object: 'list',
  data: [{ id: 'si_1', price: { id: price }, quantity, current_period_end: end }],
})
const subscription = {
  ...{ id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active', items: items('price_b') },
  ...{ pause_collection: null, cancel_at_period_end: false, cancel_at: null },
}

async function tell(type: string, object: unknown, previous?: unknown, at = '2026-11-20T10:00:00Z') {
  const data = { object, ...(previous === undefined ? {} : { previous_attributes: previous }) }
  const event = { id: `evt_${++number}`, type, createdAt: new Date(at), payload: { type, data } }
  const delivery = { apiVersion: null, object: null, origin: 'webhook' as const, receivedAt: new Date(at) }
  await insertEvent(t.ctx.db, { ...event, ...delivery })
}

async function told(kinds = 'subscription'): Promise<TimelineEntry[]> {
  const response = await request(t.ctx).as('super_admin').get(`/stripe/customers/cus_1/activity?kinds=${kinds}`)
  const { entries } = response.json() as { entries: TimelineEntry[] }
  return entries.filter(({ id }) => id.includes('.moment:'))
}

const updated = 'customer.subscription.updated'

test.each<[string, unknown, unknown, string, string]>([
  ['a plan', subscription, { items: items('price_a') }, 'Plan changed', 'Starter monthly → Business yearly'],
  ['a quantity', subscription, { items: items('price_b', 3) }, 'Quantity changed', 'Business'],
  [
    'a pause',
    { ...subscription, pause_collection: { behavior: 'void' } },
    { pause_collection: null },
    'Subscription paused',
    'Business',
  ],
  ['its end', subscription, { pause_collection: { behavior: 'void' } }, 'Subscription resumed', 'Business'],
  [
    'a cancellation',
    { ...subscription, cancel_at_period_end: true, cancel_at: 1 },
    { cancel_at_period_end: false, cancel_at: null, canceled_at: null },
    'Cancellation scheduled',
    'Business',
  ],
  ['its undoing', subscription, { cancel_at_period_end: true, cancel_at: 1 }, 'Cancellation undone', 'Business'],
  [
    'a cancellation at a date',
    { ...subscription, cancel_at: 9 },
    { cancel_at: null },
    'Cancellation scheduled',
    'Business',
  ],
  ['a debt', { ...subscription, status: 'past_due' }, { status: 'active' }, 'Subscription is past due', 'Business'],
  [
    'two changes at once',
    subscription,
    { items: items('price_a'), cancel_at_period_end: true, cancel_at: 1 },
    'Plan changed · Cancellation undone',
    'Starter monthly → Business yearly',
  ],
])('%s is told with its time', async (_what, object, previous, title, detail) => {
  await tell(updated, object, previous)
  expect(await told()).toMatchObject([
    { title, detail, at: '2026-11-20T10:00:00Z', path: '/admin/subscriptions?open=sub_1' },
  ])
})

test.each<[string, unknown, unknown]>([
  ['a renewal', subscription, { items: items('price_b', 1, 0), latest_invoice: 'in_0' }],
  ['metadata', subscription, { metadata: { a: '1' } }],
  [
    'the end, which the subscription tells',
    { ...subscription, status: 'canceled' },
    { status: 'active', cancel_at: null },
  ],
  ['an event without an owner', { ...subscription, customer: null }, { items: items('price_a') }],
  ['an object that is none', 'nothing', { items: 'x', pause_collection: 1, cancel_at: {} }],
  ['nothing at all', null, null],
])('%s is no entry, and stops nothing', async (_what, object, previous) => {
  await tell(updated, object, previous)
  expect(await told()).toEqual([])
})

test('an invoice that was sent or not paid is told with its amount', async () => {
  const invoice = { id: 'in_1', object: 'invoice', customer: 'cus_1', amount_due: 4900, currency: 'usd' }
  await tell('invoice.sent', invoice, undefined, '2026-11-20T10:00:00Z')
  await tell('invoice.payment_failed', { ...invoice, customer: { id: 'cus_1' } }, undefined, '2026-11-20T11:00:00Z')
  await tell('invoice.updated', invoice, { amount_due: 1 })
  expect(await told('invoice')).toMatchObject([
    { title: 'Invoice payment failed', amount: 4900, currency: 'usd', detail: 'A-1' },
    { title: 'Invoice sent', amount: 4900 },
  ])
})

test('a cancellation is told once, by its event where that arrived', async () => {
  const scheduled = async () => {
    const response = await request(t.ctx).as('super_admin').get('/stripe/customers/cus_1/activity?kinds=subscription')
    return (response.json().entries as TimelineEntry[]).filter(({ title }) => title === 'Cancellation scheduled')
  }
  expect((await scheduled()).map(({ id }) => id)).toEqual(['subscription.cancelled:sub_1'])
  const cancelled = { ...subscription, cancel_at_period_end: true, cancel_at: 1 }
  await tell(updated, cancelled, { cancel_at_period_end: false, cancel_at: null }, '2026-11-10T10:00:01Z')
  expect((await scheduled()).map(({ id }) => id)).toEqual([`subscription.moment:evt_${number}`])
})

test('an event outlives its payload, and goes with the mirror', async () => {
  await tell(updated, subscription, { items: items('price_a') })
  await t.ctx.pool.query('delete from webhook_events')
  expect(await told()).toHaveLength(1)
  await t.ctx.pool.query('truncate webhook_events')
  expect(await told()).toEqual([])
})

test('an event about somebody who was erased leaves nothing', async () => {
  await t.ctx.pool.query(
    `insert into customer_states (customer_id, deleted_at, erased_at) values ('cus_1', now(), now())`,
  )
  try {
    await tell(updated, subscription, { items: items('price_a') })
  } finally {
    await t.ctx.pool.query('delete from customer_states')
  }
  const { rows } = await t.ctx.pool.query('select event_id from customer_moments')
  expect(rows).toEqual([])
  await tell(updated, subscription, { items: items('price_a') })
  expect(await told()).toHaveLength(1)
})

test('refunds follow a payment whose customer becomes known later', async () => {
  await insertRows(t.ctx.pool, 'payments', [{ id: 'pi_late', customer_id: null }])
  await insertRows(t.ctx.pool, 'refunds', [{ id: 're_late', payment_id: 'pi_late' }])
  const ids = async () => {
    const response = await request(t.ctx).as('super_admin').get('/stripe/customers/cus_1/activity?kinds=refund')
    return (response.json().entries as TimelineEntry[]).map(({ id }) => id)
  }
  expect(await ids()).toEqual([])
  await t.ctx.pool.query(`update payments set customer_id = 'cus_1' where id = 'pi_late'`)
  expect(await ids()).toEqual(['refund:re_late'])
})
