import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePayment, mirrorObject, sentAbout, startWorld, type World } from './money-actions/test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.close())

test('tells what a part of a payment, or its rest, would leave', async () => {
  const { payment } = await makePayment(world)
  const part = (await world.ada.refundReach(payment, '?amount=2500')).json().reach
  expect(part).toMatchObject({
    action: 'refund',
    refusal: null,
    undo: null,
    payment: {
      before: { status: 'succeeded', refunded_amount: 0, refundable_amount: 10_000 },
      after: { status: 'succeeded', refunded_amount: 2500, refundable_amount: 7500 },
    },
  })
  const rest = (await world.ada.refundReach(payment)).json().reach
  expect(rest.payment.after).toEqual({ status: 'refunded', refunded_amount: 10_000, refundable_amount: 0 })
  expect(sentAbout(world, payment)).toEqual([])
  const { payment: after } = (await world.ada.refund(payment, { amount: 2500 })).json()
  expect(after).toMatchObject(part.payment.after)
})

test('names the subscription that a payment paid for, which goes on', async () => {
  const made = await world.sandbox.control.scenario('subscription_started', {})
  const id = String(made['subscription'])
  const subscription = (await world.sandbox.control.dump('subscription')).find((each) => each['id'] === id)!
  const invoice = String(subscription['latest_invoice'])
  const paid = (await world.sandbox.control.dump('invoice_payment')).find((each) => each['invoice'] === invoice)!
  const payment = String((paid['payment'] as Record<string, unknown>)['payment_intent'])
  await mirrorObject(world.console, 'customer', String(made['customer']))
  await mirrorObject(world.console, 'subscription', id)
  await mirrorObject(world.console, 'invoice', invoice)
  await mirrorObject(world.console, 'invoice_payment', String(paid['id']))
  await mirrorObject(world.console, 'payment', payment)
  const { reach } = (await world.ada.refundReach(payment)).json()
  expect(reach.subscriptions).toMatchObject([{ id, before: { status: 'active' }, after: { status: 'active' } }])
  expect(reach.mrr).toMatchObject([{ currency: 'usd', before: 2900, after: 2900 }])
})

test.each([
  ['0', 'more than 0'],
  ['-1', 'more than 0'],
  ['0.5', 'a whole number'],
  ['10001', 'more than the $100.00'],
])('refuses an amount of %s, as the refund does', async (amount, why) => {
  const { payment } = await makePayment(world)
  const answer = await world.ada.refundReach(payment, `?amount=${amount}`)
  expect(answer.json()).toMatchObject({ status: 400, parameter: 'amount' })
  expect(answer.json().detail).toContain(why)
  const act = await world.ada.refund(payment, { amount: Number(amount) })
  expect(act.json()).toMatchObject({ status: 400, parameter: 'amount' })
  expect(sentAbout(world, payment)).toEqual([])
})

test('says why nothing can be refunded', async () => {
  const { payment } = await makePayment(world, {}, 'payment_fails')
  const { reach } = (await world.ada.refundReach(payment)).json()
  expect(reach.refusal).toBe('This payment failed: nothing to refund')
  expect(reach.payment.after).toEqual(reach.payment.before)
})
