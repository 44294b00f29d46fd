import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { verifyTotals } from '../mirror/index.ts'
import { runAndDie } from './test/dying-console.ts'
import {
  auditOf,
  customerOf,
  lifecycleOf,
  makeCustomer,
  pauseOf,
  previewOf,
  sentAbout,
  startWorld,
  statesOf,
  type World,
} from './test/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(3)
})
afterAll(() => world?.close())

/** Lets a process die at every call that is made for a customer, one after the other, until one gets to the end. */
async function dieAtEveryCall(customer: string, when: 'before' | 'after'): Promise<number> {
  const { connectionString } = world.console.database
  world.console.enqueued.length = 0
  let deaths = 0
  // A process that starts anew makes its first calls again, so each lives for one call longer.
  while (
    deaths < 20 &&
    (await runAndDie(world.sandbox, { connectionString, customer, shiftMs: 0, death: { nth: deaths + 1, when } }))
  )
    deaths++
  return deaths
}

const begin = async (id: string, act: string, body: object): Promise<void> =>
  expect((await world.root.post(`/stripe/customers/${id}/${act}`, body)).statusCode).toBe(200)

describe.each(['before', 'after'] as const)('killed %s every call to Stripe', (when) => {
  test('a suspension and its undo end as if it had never been killed', async () => {
    const { id, subscriptions } = await makeCustomer(world, 2)
    const told = { reason: 'abuse', billing: 'void', notice: true }
    await begin(id, 'suspend', told)
    expect(await dieAtEveryCall(id, when)).toBeGreaterThan(2)
    expect(statesOf((await lifecycleOf(world, id)).runs[0])).toEqual([
      ...['record done', 'pause done', 'pause done', 'sites skipped', 'mail done'],
    ])
    expect(await customerOf(world, id)).toMatchObject({ status: 'suspended' })
    for (const subscription of subscriptions) {
      expect(await pauseOf(world, subscription)).toBe('void')
      expect(sentAbout(world, subscription)).toHaveLength(1)
      expect(await auditOf(world, subscription)).toEqual(['job subscription.pause done done'])
    }
    const mails = await world.console.ctx.db
      .selectFrom('mails')
      .select('kind')
      .where('kind', 'like', `%${id}`)
      .execute()
    expect(mails).toHaveLength(1)

    await begin(id, 'unsuspend', { notice: false })
    await dieAtEveryCall(id, when)
    expect((await lifecycleOf(world, id)).runs[0]).toMatchObject({ state: 'done' })
    for (const subscription of subscriptions) {
      expect(await pauseOf(world, subscription)).toBeNull()
      expect(sentAbout(world, subscription)).toHaveLength(2)
    }
    expect(await auditOf(world, id)).toEqual([
      'user customer.suspend requested done',
      'job customer.suspend done done',
      'user customer.unsuspend requested done',
      'job customer.unsuspend done done',
    ])
    expect(await verifyTotals(world.console.ctx.db)).toEqual([])
  })

  test('a deletion at Stripe happens once', async () => {
    const { id } = await makeCustomer(world, 2)
    const { typed_name } = await previewOf(world, id, 'delete?at_stripe=true')
    await begin(id, 'delete', { at_stripe: true, typed_name })
    expect(await dieAtEveryCall(id, when)).toBeGreaterThan(2)
    expect((await lifecycleOf(world, id)).runs[0]).toMatchObject({ state: 'done' })
    expect(sentAbout(world, id)).toHaveLength(1)
    expect(await customerOf(world, id)).toMatchObject({ status: 'deleted', deleted: true })
    expect(await auditOf(world, id)).toEqual([
      'user customer.delete requested done',
      'job customer.delete done done',
      'job customer.delete_at_stripe done done',
    ])
    expect(await verifyTotals(world.console.ctx.db)).toEqual([])
  })
})

test('what a killed process left goes on when the next one starts', async () => {
  const { id, subscriptions } = await makeCustomer(world)
  await begin(id, 'suspend', { reason: 'abuse', billing: 'void', notice: false })
  const { connectionString } = world.console.database
  const death = { nth: 2, when: 'after' } as const
  expect(await runAndDie(world.sandbox, { connectionString, customer: id, shiftMs: 0, death })).toBe(true)
  world.console.enqueued.length = 0
  await runJob(world.console.ctx, 'runs.sweep')
  expect((await lifecycleOf(world, id)).runs[0]).toMatchObject({ state: 'done' })
  expect(sentAbout(world, subscriptions[0]!)).toHaveLength(1)
})
