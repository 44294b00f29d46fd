import type { FaultEffect } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { live } from '../../../test/fixtures/mirror.ts'
import { makeLink, makePrice } from '../../../test/new-orders.ts'
import { actionOf, newKey, type ProviderWorld, startProviderWorld } from '../../../test/provider-world.ts'
import { request } from '../../../test/request.ts'
import { asSystem } from '../../context.ts'
import { sweep } from '../../platform/runs/jobs.ts'
import { resolveRun, type Work } from '../billing/index.ts'
import { paymentLinkHandlers } from './index.ts'
import { ways } from './ways.ts'

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
type Doc = { id: string; active: boolean; metadata: Record<string, string> }
const docs = async () => (await world.sandbox.control.dump('payment_link')) as Doc[]

async function resolveInTime(hours = 0): Promise<void> {
  later(hours * 3_600_000)
  for (let tries = 0; tries < 8; tries++) {
    later(11 * 60_000)
    await sweep(asSystem(world.console.ctx, 'job', 'runs.sweep'), [resolveRun(paymentLinkHandlers)], live())
  }
}

/** What is done, the name of its call at the provider, and how often the provider has done it. */
type Act = {
  name: string
  send: (key: string) => ReturnType<ReturnType<typeof root>['post']>
  count: (key: string) => Promise<number>
}

const acts: Record<string, () => Promise<Act>> = {
  'a new link': async () => {
    const price = await makePrice(world)
    // What was here before is where the look at the provider's list ends.
    await makeLink(world)
    return {
      name: 'paymentLinks.create',
      send: (key) => root().post('/stripe/payment-links', { price }, { 'idempotency-key': key }),
      count: async (key) => (await docs()).filter(({ metadata }) => metadata['action_id'] === key).length,
    }
  },
  'a switch-off': async () => {
    const link = await makeLink(world)
    return {
      name: 'paymentLinks.update',
      send: (key) => root().post(`/stripe/payment-links/${link}/switch`, { active: false }, { 'idempotency-key': key }),
      count: async () => (await docs()).filter(({ id, active }) => id === link && !active).length,
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

test('the look for a link that was not made ends at those that were here before', async () => {
  const known = await makeLink(world)
  const { ctx } = world.console
  later(1000)
  const action = { id: newKey(), kind: 'payment_link_create', created_at: new Date(ctx.clock()) }
  const asked: unknown[] = []
  const page = (id: string) => ({ objects: [{ id, object: 'payment_link' }], hasMore: true, endId: id })
  const look = {
    listObjects: async (_kind: string, query: unknown) => page(asked.push(query) === 1 ? 'plink_newer' : known),
  }
  const work = { ctx, look, action } as unknown as Work
  expect(await ways[work.action.kind as keyof typeof ways].find(work)).toBeNull()
  expect(asked).toEqual([{}, { startingAfter: 'plink_newer' }])
})
