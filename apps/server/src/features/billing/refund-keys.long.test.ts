import type { FaultEffect } from '@agency/sandbox'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startWorld as startActs, type WorldActs } from '../../../test/fixtures/world.ts'
import {
  actionOf,
  makePayment,
  refundsOf,
  resolve,
  resolveInTime,
  sentAbout,
  startWorld,
  type World,
} from './money-actions/test/world.ts'

let world: World
let client: WorldActs['client']

beforeAll(async () => {
  world = await startWorld()
  client = (await startActs(world.sandbox)).client
})
afterEach(() => world.sandbox.faults.clear())
afterAll(() => world?.close())

const amount = 4000
const fail = (effect: FaultEffect, times = 1) => world.sandbox.faults.next('stripe', 'refunds.create', effect, times)
const later = (ms: number) => world.console.clock.advance(ms)

/** What Stripe carried out although it answered with a failure, at the moment when its list begins to show it. */
const show = (payment: string, key: string) =>
  client.refunds.create({ payment_intent: payment, amount, metadata: { action_id: key } })

test('a key is not over before the list has had its minute since the call was last sent', async () => {
  const { payment } = await makePayment(world)
  fail({ connection: 'destroy' }, 2)
  expect((await world.ada.refund(payment, { amount }, 'late-1')).json()).toMatchObject({ code: 'outcome_unknown' })
  later(61_000)
  fail({ status: 500, kept: true })
  await resolve(world.console)
  later(12_000)
  await resolve(world.console)
  expect(await actionOf(world, 'late-1')).toMatchObject({ state: 'unknown', keys_used: 1 })
  await show(payment, 'late-1')
  await resolveInTime(world)
  expect(await refundsOf(world, payment)).toMatchObject([{ metadata: { action_id: 'late-1' } }])
  expect(await actionOf(world, 'late-1')).toMatchObject({ state: 'done', keys_used: 1 })
})

/** `isUnheard`: the call is cut off, however often the client repeats it, and nothing runs. */
type Try = { effect: FaultEffect; isCarriedOut?: boolean; isUnheard?: boolean }

const attempt = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Try>({ effect: { connection: 'destroy' }, isUnheard: true }) },
  { weight: 3, arbitrary: fc.constant<Try>({ effect: { status: 500, kept: true }, isCarriedOut: true }) },
  { weight: 2, arbitrary: fc.constant<Try>({ effect: { status: 500, kept: true } }) },
  { weight: 1, arbitrary: fc.constant<Try>({ effect: { connection: 'lost' } }) },
  { weight: 1, arbitrary: fc.constant<Try>({ effect: { delayMs: 0 } }) },
)
// Either just past a pause of the job, or past the minute after which the list counts.
const seconds = fc.oneof(fc.integer({ min: 10, max: 25 }), fc.integer({ min: 60, max: 100 }))
const step = fc.record({
  attempt,
  seconds,
  shownAfterSeconds: fc.integer({ min: 25, max: 55 }),
  isSettledByHand: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const stepOf = (attempt: Try, seconds: number): Step => ({
  attempt,
  seconds,
  shownAfterSeconds: 52,
  isSettledByHand: false,
})
/** The list is looked at seconds after the run that it does not show yet, and a minute after the first call. */
const shownLate: Step[] = [
  stepOf({ effect: { connection: 'destroy' }, isUnheard: true }, 61),
  stepOf({ effect: { status: 500, kept: true }, isCarriedOut: true }, 23),
  stepOf({ effect: { delayMs: 0 } }, 86),
]

let keys = 0

async function play(payment: string, key: string, steps: readonly Step[]): Promise<void> {
  let shownAt: number | null = null
  const ran = new Set<string>()
  const showDue = async () => {
    if (shownAt === null || world.console.clock.now() < shownAt) return
    shownAt = null
    await show(payment, key)
  }
  for (const [index, each] of steps.entries()) {
    const fault = fail(each.attempt.effect, each.attempt.isUnheard ? 2 : 1)
    if (index === 0) await world.ada.refund(payment, { amount }, key)
    else await resolve(world.console)
    const isMet = !world.sandbox.faults.list().some(({ id }) => id === fault)
    world.sandbox.faults.clear()
    const used = sentAbout(world, payment).at(-1)?.idempotencyKey ?? ''
    if (isMet && each.attempt.isCarriedOut && !ran.has(used))
      shownAt = world.console.clock.now() + each.shownAfterSeconds * 1000
    // Nothing runs twice under one key, and a call that is cut off has not run.
    if (isMet && !each.attempt.isUnheard) ran.add(used)
    later(each.seconds * 1000)
    await showDue()
    if (each.isSettledByHand) await world.bob.settle(key, 'not_happened')
  }
  later(60_000)
  await showDue()
  await resolveInTime(world)
}

test('no order of kept failures, lost answers and settling by hand refunds twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 5 }), async (steps) => {
      const { payment } = await makePayment(world)
      const key = `keys-${++keys}`
      await play(payment, key, steps)
      const refunds = await refundsOf(world, payment)
      expect(refunds.length).toBeLessThanOrEqual(1)
      expect(await actionOf(world, key)).toMatchObject({ state: refunds.length === 1 ? 'done' : 'failed' })
    }),
    { numRuns: 13, endOnFailure: true, examples: [[shownLate]] },
  )
})
