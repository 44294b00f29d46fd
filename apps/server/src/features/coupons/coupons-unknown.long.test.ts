import type { FaultEffect } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { live } from '../../../test/fixtures/mirror.ts'
import { makeCode, makeCoupon } from '../../../test/new-orders.ts'
import { actionOf, newKey, type ProviderWorld, startProviderWorld } from '../../../test/provider-world.ts'
import { request } from '../../../test/request.ts'
import { asSystem } from '../../context.ts'
import { sweep } from '../../platform/runs/jobs.ts'
import { resolveRun } from '../billing/index.ts'
import { couponHandlers } from './index.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await startProviderWorld()
}, 60_000)

let advanced = 0
const later = (ms: number) => {
  advanced += ms
  world.console.clock.advance(ms)
}
afterEach(() => {
  world.sandbox.faults.clear()
  later(-advanced)
})
afterAll(() => world?.close())

const root = () => request(world.console.ctx).as('super_admin')
type Doc = { id: string; active?: boolean; metadata?: Record<string, string> }
const docs = async (kind: 'coupon' | 'promotion_code') => (await world.sandbox.control.dump(kind)) as Doc[]

async function resolveInTime(hours = 0): Promise<void> {
  later(hours * 3_600_000)
  for (let tries = 0; tries < 8; tries++) {
    later(11 * 60_000)
    await sweep(asSystem(world.console.ctx, 'job', 'runs.sweep'), [resolveRun(couponHandlers)], live())
  }
}

/** What is done, the name of its call at the provider, and how often the provider has done it. */
type Act = {
  name: string
  send: (key: string) => ReturnType<ReturnType<typeof root>['post']>
  count: (key: string) => Promise<number>
}

const acts: Record<string, () => Promise<Act>> = {
  'a new coupon': async () => ({
    name: 'coupons.create',
    send: (key) =>
      root().post('/stripe/coupons', { name: 'Spring', percent_off: 20, duration: 'once' }, { 'idempotency-key': key }),
    count: async (key) => (await docs('coupon')).filter(({ metadata }) => metadata?.['action_id'] === key).length,
  }),
  'a deletion': async () => {
    const coupon = await makeCoupon(world, { percent_off: '20' })
    return {
      name: 'coupons.del',
      send: (key) => root().delete(`/stripe/coupons/${coupon}`, { 'idempotency-key': key }),
      count: async () => ((await docs('coupon')).some(({ id }) => id === coupon) ? 0 : 1),
    }
  },
  'a new promotion code': async () => {
    const coupon = await makeCoupon(world, { percent_off: '20' })
    return {
      name: 'promotionCodes.create',
      send: (key) => root().post(`/stripe/coupons/${coupon}/promotion-codes`, {}, { 'idempotency-key': key }),
      count: async (key) =>
        (await docs('promotion_code')).filter(({ metadata }) => metadata?.['action_id'] === key).length,
    }
  },
  'a switch-off': async () => {
    const code = await makeCode(world, await makeCoupon(world, { percent_off: '20' }))
    return {
      name: 'promotionCodes.update',
      send: (key) =>
        root().post(`/stripe/promotion-codes/${code}/switch`, { active: false }, { 'idempotency-key': key }),
      count: async () => (await docs('promotion_code')).filter(({ id, active }) => id === code && !active).length,
    }
  },
}

const uncertain: [string, FaultEffect | number][] = [
  ['lost after it was done', { connection: 'lost' }],
  ['lost before it was done', { connection: 'destroy' }],
  ['cut in its middle', { connection: 'cut' }],
  ['a page instead', { malformed: 'html' }],
  ['away', 503],
]
const cases = Object.keys(acts).flatMap((what) => uncertain.map(([how, effect]) => [what, how, effect] as const))

test.each(cases)('%s whose answer is %s is found out by itself, and done once', async (what, _how, effect) => {
  const { name, send, count } = await acts[what]!()
  const key = newKey()
  world.sandbox.faults.next('stripe', name, effect, 2)
  const answer = await send(key)
  world.sandbox.faults.clear()
  if (answer.statusCode !== 200) {
    expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    expect(answer.json().detail).toContain('Trying again is safe')
    await resolveInTime()
  }
  expect(await count(key)).toBe(1)
  expect(await actionOf(world, key)).toMatchObject({ state: 'done', next_try_at: null })
  expect((await send(key)).json()).toMatchObject({ success: true })
})

test.each(Object.keys(acts))('%s whose answer was lost is found out by the next press', async (what) => {
  const { name, send, count } = await acts[what]!()
  const key = newKey()
  world.sandbox.faults.next('stripe', name, { connection: 'lost' }, 2)
  expect((await send(key)).json()).toMatchObject({ code: 'outcome_unknown' })
  world.sandbox.faults.clear()
  const again = await send(key)
  expect(again.statusCode, again.body).toBe(200)
  expect(await count(key)).toBe(1)
  expect(await actionOf(world, key)).toMatchObject({ state: 'done' })
})

const aDayLater = Object.keys(acts).flatMap((what) => [
  [what, 'it was done', { connection: 'lost' }, 'done', 1] as const,
  [what, 'nothing had arrived', { connection: 'destroy' }, 'failed', 0] as const,
])

test.each(aDayLater)('a day later Stripe itself tells of %s: %s', async (what, _how, effect, state, times) => {
  const { name, send, count } = await acts[what]!()
  const key = newKey()
  world.sandbox.faults.next('stripe', name, effect, 2)
  expect((await send(key)).json()).toMatchObject({ code: 'outcome_unknown' })
  world.sandbox.faults.clear()
  await resolveInTime(25)
  expect(await actionOf(world, key)).toMatchObject({ state, next_try_at: null })
  expect(await count(key)).toBe(times)
})

test('while one deletion is open, another is refused', async () => {
  const coupon = await makeCoupon(world, { percent_off: '20' })
  const send = (key: string) => root().delete(`/stripe/coupons/${coupon}`, { 'idempotency-key': key })
  world.sandbox.faults.next('stripe', 'coupons.del', { connection: 'destroy' }, 2)
  await send(newKey())
  world.sandbox.faults.clear()
  expect((await send(newKey())).json()).toMatchObject({
    ...{ status: 409, detail: expect.stringMatching(/started a deletion of the coupon .* outcome unknown/) },
  })
})
