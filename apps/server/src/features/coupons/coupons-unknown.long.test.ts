import { expect, test } from 'vitest'
import { type Act, resolveWith, testLostAnswers, useWorld } from '../../../test/lost-answers.ts'
import { makeCode, makeCoupon } from '../../../test/new-orders.ts'
import { newKey, startProviderWorld } from '../../../test/provider-world.ts'
import { couponHandlers } from './index.ts'

const here = useWorld(startProviderWorld, resolveWith(couponHandlers))
const { world, root, fail } = here

type Doc = { id: string; active?: boolean; metadata?: Record<string, string> }
const docs = async (kind: 'coupon' | 'promotion_code') => (await world().sandbox.control.dump(kind)) as Doc[]

const acts: Record<string, () => Promise<Act>> = {
  'a new coupon': async () => ({
    name: 'coupons.create',
    send: (key) =>
      root().post('/stripe/coupons', { name: 'Spring', percent_off: 20, duration: 'once' }, { 'idempotency-key': key }),
    count: async (key) => (await docs('coupon')).filter(({ metadata }) => metadata?.['action_id'] === key).length,
  }),
  'a deletion': async () => {
    const coupon = await makeCoupon(world(), { percent_off: '20' })
    return {
      name: 'coupons.del',
      send: (key) => root().delete(`/stripe/coupons/${coupon}`, { 'idempotency-key': key }),
      count: async () => ((await docs('coupon')).some(({ id }) => id === coupon) ? 0 : 1),
    }
  },
  'a new promotion code': async () => {
    const coupon = await makeCoupon(world(), { percent_off: '20' })
    return {
      name: 'promotionCodes.create',
      send: (key) => root().post(`/stripe/coupons/${coupon}/promotion-codes`, {}, { 'idempotency-key': key }),
      count: async (key) =>
        (await docs('promotion_code')).filter(({ metadata }) => metadata?.['action_id'] === key).length,
    }
  },
  'a switch-off': async () => {
    const code = await makeCode(world(), await makeCoupon(world(), { percent_off: '20' }))
    return {
      name: 'promotionCodes.update',
      send: (key) =>
        root().post(`/stripe/promotion-codes/${code}/switch`, { active: false }, { 'idempotency-key': key }),
      count: async () => (await docs('promotion_code')).filter(({ id, active }) => id === code && !active).length,
    }
  },
}

testLostAnswers(here, acts)

test('while one deletion is open, another is refused', async () => {
  const coupon = await makeCoupon(world(), { percent_off: '20' })
  const send = (key: string) => root().delete(`/stripe/coupons/${coupon}`, { 'idempotency-key': key })
  fail('coupons.del', { connection: 'destroy' })
  await send(newKey())
  world().sandbox.faults.clear()
  expect((await send(newKey())).json()).toMatchObject({
    ...{ status: 409, detail: expect.stringMatching(/started a deletion of the coupon .* outcome unknown/) },
  })
})
