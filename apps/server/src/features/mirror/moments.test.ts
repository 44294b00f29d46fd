import { expect, test } from 'vitest'
import { momentOf, type Story } from './moments.ts'

const item = (price: unknown, quantity: unknown = 1, end = 1) => ({
  price: { id: price },
  quantity,
  current_period_end: end,
})
const list = (...data: unknown[]) => ({ object: 'list', data })
const subscription = {
  ...{ id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active', items: list(item('price_b')) },
  ...{ pause_collection: null, cancel_at_period_end: false, cancel_at: null },
}
const invoice = { id: 'in_1', object: 'invoice', customer: 'cus_1', amount_due: 4900, currency: 'usd' }

const eventOf = (type: string, object: unknown, previous_attributes?: unknown) =>
  momentOf({ type, payload: { type, data: { object, previous_attributes } } })
const storiesOf = (before: unknown, now: object = {}): Story[] =>
  eventOf('customer.subscription.updated', { ...subscription, ...now }, before)?.stories ?? []

const two = list(item('price_a'), item('price_b', 2))
const due = { cancel_at_period_end: true, cancel_at: 1 }

test.each<[string, object | null, object, Story[]]>([
  ['another price', { items: list(item('price_a')) }, {}, ['plan_changed']],
  ['one price more', { items: list(item('price_b')) }, { items: two }, ['plan_changed']],
  ['another quantity', { items: list(item('price_b', 3)) }, {}, ['quantity_changed']],
  ['a quantity that was not said', { items: list(item('price_b', null)) }, {}, ['quantity_changed']],
  ['the same items in another order', { items: list(item('price_b', 2), item('price_a')) }, { items: two }, []],
  ['a renewal', { items: list(item('price_b', 1, 0)), latest_invoice: 'in_0' }, {}, []],
  ['items that are none', { items: 'x' }, { items: null }, []],
  ['a pause', { pause_collection: null }, { pause_collection: { behavior: 'void' } }, ['paused']],
  [
    'another pause',
    { pause_collection: { behavior: 'void' } },
    { pause_collection: { behavior: 'keep_as_draft' } },
    [],
  ],
  ['the end of a pause', { pause_collection: { behavior: 'void' } }, {}, ['resumed']],
  [
    'a cancellation at the end of the period',
    { cancel_at_period_end: false, cancel_at: null },
    due,
    ['cancel_scheduled'],
  ],
  ['a cancellation at a date', { cancel_at: null }, { cancel_at: 9 }, ['cancel_scheduled']],
  ['another date', { cancel_at: 8 }, { cancel_at: 9 }, []],
  ['a date instead of the end of the period', { cancel_at_period_end: true }, { cancel_at: 9 }, []],
  ['a cancellation that was undone', due, {}, ['cancel_undone']],
  ['a date that was taken back', { cancel_at: 9 }, {}, ['cancel_undone']],
  ['the end', { status: 'active', cancel_at: null }, { status: 'canceled', cancel_at: 9 }, []],
  ['a debt', { status: 'active' }, { status: 'past_due' }, ['past_due']],
  ['a debt that is given up', { status: 'past_due' }, { status: 'unpaid' }, ['unpaid']],
  ['a first payment', { status: 'incomplete' }, {}, ['active']],
  ['a status that is no news', { status: 'active' }, { status: 'incomplete_expired' }, []],
  ['metadata', { metadata: { a: '1' } }, {}, []],
  ['nothing that was before', null, {}, []],
  [
    'everything at once',
    { items: list(item('price_a')), pause_collection: {}, ...due, status: 'unpaid' },
    {},
    ['plan_changed', 'resumed', 'cancel_undone', 'active'],
  ],
])('%s', (_what, before, now, stories) => {
  expect(storiesOf(before, now)).toEqual(stories)
})

test.each([
  ['one price for another', list(item('price_a')), {}, { from_price: 'price_a', to_price: 'price_b' }],
  ['one for several', list(item('price_a')), { items: two }, { from_price: null, to_price: null }],
  ['a quantity', list(item('price_b', 3)), {}, { from_price: null, to_price: null }],
])('the prices of a change: %s', (_what, items, now, prices) => {
  expect(eventOf('customer.subscription.updated', { ...subscription, ...now }, { items })).toMatchObject(prices)
})

test.each<[string, unknown, object]>([
  ['invoice.sent', invoice, { kind: 'invoice', stories: ['sent'], amount: 4900, currency: 'usd' }],
  ['invoice.payment_failed', { ...invoice, customer: { id: 'cus_1' } }, { stories: ['payment_failed'], amount: 4900 }],
  ['invoice.sent', { ...invoice, amount_due: null, currency: undefined }, { amount: null, currency: null }],
  ['customer.subscription.paused', subscription, { kind: 'subscription', stories: ['paused'], amount: null }],
  ['customer.subscription.resumed', { ...subscription, currency: 'usd' }, { stories: ['resumed'], currency: null }],
])('%s', (type, object, moment) => {
  expect(eventOf(type, object)).toMatchObject({ customer_id: 'cus_1', ...moment })
})

test.each<[string, unknown]>([
  ['invoice.updated', invoice],
  ['toString', invoice],
  ['invoice.sent', { ...invoice, customer: null }],
  ['invoice.sent', { ...invoice, id: undefined }],
  ['invoice.sent', 'nothing'],
  ['customer.subscription.deleted', subscription],
])('%s adds nothing when it is %j', (type, object) => {
  expect(eventOf(type, object)).toBeNull()
})

test('a payload that is none adds nothing', () => {
  for (const payload of [null, 'text', {}, [], { data: null }])
    expect(momentOf({ type: 'invoice.sent', payload })).toBeNull()
})
