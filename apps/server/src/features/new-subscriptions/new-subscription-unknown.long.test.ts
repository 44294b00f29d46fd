import type { FaultEffect } from '@agency/sandbox'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resolveWith, uncertain, useWorld } from '../../../test/lost-answers.ts'
import { makeCoupon, newOrder } from '../../../test/new-orders.ts'
import { actionOf, newKey, startProviderWorld } from '../../../test/provider-world.ts'
import { newSubscriptionHandlers } from './index.ts'

const {
  world,
  root,
  fail: failCall,
  resolveInTime,
} = useWorld(startProviderWorld, resolveWith(newSubscriptionHandlers))
const create = (body: object, key: string) => root().post('/stripe/subscriptions', body, { 'idempotency-key': key })
const fail = (effect: FaultEffect | number) => failCall('subscriptions.create', effect)

async function of(kind: 'subscription' | 'charge', customer: string) {
  const all = (await world().sandbox.control.dump(kind)) as { customer?: string; status?: string; amount?: number }[]
  return all.filter((each) => each.customer === customer)
}

test.each(uncertain)('an answer that is %s ends with one subscription, charged once', async (_name, effect) => {
  const order = await newOrder(world())
  const key = newKey()
  fail(effect)
  const answer = await create(order, key)
  world().sandbox.faults.clear()
  if (answer.statusCode !== 200) {
    expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    expect(answer.json().detail).toContain('Outcome of the start of Care ')
    expect((await create(order, newKey())).json()).toMatchObject({ status: 409 })
    await resolveInTime()
  }
  expect(await of('subscription', order.customer)).toMatchObject([{ status: 'active' }])
  expect(await of('charge', order.customer)).toMatchObject([{ amount: 1900, status: 'succeeded' }])
  expect(await actionOf(world(), key)).toMatchObject({ state: 'done', next_try_at: null })
  expect((await create(order, key)).json()).toMatchObject({ success: true, subscription: { plan_id: order.price } })
})

test.each([
  ['it was done', { connection: 'lost' }, 'done', 1],
  ['nothing had arrived', { connection: 'destroy' }, 'failed', 0],
] as const)('a day later the list of the provider tells: %s', async (_name, effect, state, count) => {
  const order = await newOrder(world())
  const key = newKey()
  fail(effect)
  expect((await create(order, key)).json()).toMatchObject({ code: 'outcome_unknown' })
  world().sandbox.faults.clear()
  await resolveInTime(25)
  expect(await actionOf(world(), key)).toMatchObject({ state, next_try_at: null })
  expect(await of('subscription', order.customer)).toHaveLength(count)
})

test('a card that is refused when the call is repeated leaves no subscription', async () => {
  const order = await newOrder(world(), 'pm_card_visa_chargeDeclinedInsufficientFunds')
  const key = newKey()
  fail({ connection: 'destroy' })
  expect((await create(order, key)).json()).toMatchObject({ code: 'outcome_unknown' })
  world().sandbox.faults.clear()
  await resolveInTime()
  expect(await actionOf(world(), key)).toMatchObject({ state: 'failed' })
  expect(await of('subscription', order.customer)).toEqual([])
})

test('what is charged is what was previewed', async () => {
  const order = await newOrder(world())
  const coupons = [
    undefined,
    await makeCoupon(world(), { percent_off: '33.3' }),
    await makeCoupon(world(), { amount_off: '700', currency: 'usd' }),
  ]
  const day = (days: number) => new Date(world().console.ctx.clock() + days * 86_400_000).toISOString().slice(0, 10)
  const terms = fc.record(
    {
      ...{ quantity: fc.integer({ min: 1, max: 40 }), coupon: fc.constantFrom(...coupons) },
      billing_anchor: fc.integer({ min: 1, max: 27 }).map(day),
    },
    { requiredKeys: ['quantity', 'coupon'] },
  )
  const { expected_amount_due: _, ...base } = order
  await fc.assert(
    fc.asyncProperty(terms, async (part) => {
      const wanted = { ...base, ...part }
      const { first_invoice } = (await root().post('/stripe/subscriptions/preview', wanted)).json()
      const before = await of('charge', order.customer)
      const answer = await create({ ...wanted, expected_amount_due: first_invoice.amount_due }, newKey())
      expect(answer.statusCode, answer.body).toBe(200)
      const made = (await of('charge', order.customer)).slice(before.length)
      const charged = made.reduce((sum, { amount = 0 }) => sum + amount, 0)
      // What is left of a first period in part is counted by the second.
      const least = first_invoice.amount_due - (part.billing_anchor === undefined ? 0 : 5)
      expect(charged).toBeLessThanOrEqual(first_invoice.amount_due)
      expect(charged).toBeGreaterThanOrEqual(least)
    }),
    { numRuns: 25 },
  )
})
