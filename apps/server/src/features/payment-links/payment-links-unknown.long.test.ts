import { expect, test } from 'vitest'
import { type Act, resolveWith, testLostAnswers, useWorld } from '../../../test/lost-answers.ts'
import { makeLink, makePrice } from '../../../test/new-orders.ts'
import { newKey, startProviderWorld } from '../../../test/provider-world.ts'
import type { Work } from '../billing/index.ts'
import { paymentLinkHandlers } from './index.ts'
import { ways } from './ways.ts'

const here = useWorld(startProviderWorld, resolveWith(paymentLinkHandlers))
const { world, root, later } = here

type Doc = { id: string; active: boolean; metadata: Record<string, string> }
const docs = async () => (await world().sandbox.control.dump('payment_link')) as Doc[]

const acts: Record<string, () => Promise<Act>> = {
  'a new link': async () => {
    const price = await makePrice(world())
    // What was here before is where the look at the provider's list ends.
    await makeLink(world())
    return {
      name: 'paymentLinks.create',
      send: (key) => root().post('/stripe/payment-links', { price }, { 'idempotency-key': key }),
      count: async (key) => (await docs()).filter(({ metadata }) => metadata['action_id'] === key).length,
    }
  },
  'a switch-off': async () => {
    const link = await makeLink(world())
    return {
      name: 'paymentLinks.update',
      send: (key) => root().post(`/stripe/payment-links/${link}/switch`, { active: false }, { 'idempotency-key': key }),
      count: async () => (await docs()).filter(({ id, active }) => id === link && !active).length,
    }
  },
}

testLostAnswers(here, acts)

test('the look for a link that was not made ends at those that were here before', async () => {
  const known = await makeLink(world())
  const { ctx } = world().console
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
