import type { FaultEffect } from '@agency/sandbox'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Console } from '../../../test/fixtures/mirror.ts'
import {
  actionsOf,
  makePayment,
  mirroredPayment,
  mirrorObject,
  type Person,
  person,
  refundsOf,
  resolve,
  startWorld,
  type World,
} from './money-actions/test/world.ts'

let world: World
let processes: Console[]
let people: Person[]

beforeAll(async () => {
  world = await startWorld()
  processes = [world.console, await world.openProcess()]
  people = processes.map((process, index) => person(process, ['Ada', 'Bob'][index]!))
})

afterAll(() => world?.close())

const captured = 10_000

const effect = fc.constantFrom<FaultEffect>(
  { connection: 'lost' },
  { connection: 'destroy' },
  { connection: 'cut' },
  { malformed: 'html' },
  { malformed: 'json' },
  { status: 500, kept: true },
  { status: 500, kept: false },
  { status: 503 },
  { status: 429 },
  { status: 401 },
  { status: 409, code: 'idempotency_key_in_use' },
  { status: 400, message: 'Not today.', kept: true },
)
const call = fc.constantFrom('refunds.create', 'paymentIntents.retrieve', 'refunds.retrieve', 'refunds.list')
const fault = fc.record({ call, effect, times: fc.integer({ min: 1, max: 3 }) })

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('refund' as const),
      who: fc.nat(1),
      amount: fc.option(fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: captured + 1 })), {
        nil: undefined,
      }),
      /** A click that is repeated under its key, at once. */
      clicks: fc.integer({ min: 1, max: 2 }),
      isAwaited: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('fault' as const), fault }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('resolve' as const),
      who: fc.nat(1),
      seconds: fc.integer({ min: 0, max: 90 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('webhooks' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

let keys = 0

async function play(payment: string, steps: readonly Step[]): Promise<void> {
  const running: Promise<unknown>[] = []
  for (const each of steps) {
    if (each.type === 'fault') world.sandbox.faults.next('stripe', each.fault.call, each.fault.effect, each.fault.times)
    if (each.type === 'webhooks') await tellAll(payment).catch(() => {})
    if (each.type === 'resolve') {
      world.console.clock.advance(each.seconds * 1000)
      running.push(resolve(processes[each.who]!))
    }
    if (each.type !== 'refund') continue
    const key = `property-${++keys}`
    const body = each.amount === undefined ? {} : { amount: each.amount }
    for (let click = 0; click < each.clicks; click++) running.push(people[each.who]!.refund(payment, body, key))
    if (each.isAwaited) await running.at(-1)
  }
  await Promise.all(running)
}

/** What the provider's events bring sooner or later. */
async function tellAll(payment: string): Promise<void> {
  for (const refund of await refundsOf(world, payment)) await mirrorObject(world.console, 'refund', refund.id)
}

async function settle(payment: string): Promise<void> {
  world.sandbox.faults.clear()
  await tellAll(payment)
  // First within the day in which the provider keeps its keys, then after it.
  for (const minutes of [11, 11, 24 * 60, 11]) {
    world.console.clock.advance(minutes * 60_000)
    await Promise.all(processes.map(resolve))
  }
}

const sum = (rows: readonly { amount: number | null }[]): number =>
  rows.reduce((total, row) => total + (row.amount ?? 0), 0)

test('whatever happens, what is done here is what was refunded there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { payment } = await makePayment(world, { amount: captured })
      await play(payment, steps)
      await settle(payment)
      const refunds = await refundsOf(world, payment)
      const actions = await actionsOf(world, payment)
      const done = actions.filter(({ state }) => state === 'done')
      expect(actions.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
      expect(done.map(({ id }) => id).toSorted()).toEqual(
        refunds.map(({ metadata }) => metadata['action_id']).toSorted(),
      )
      expect(sum(refunds)).toBe(sum(done))
      expect(sum(refunds)).toBeLessThanOrEqual(captured)
      expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: sum(refunds) })
    }),
    { numRuns: 40, endOnFailure: true },
  )
})
