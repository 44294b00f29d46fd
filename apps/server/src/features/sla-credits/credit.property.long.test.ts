import type { UptimePromise } from '@agency/contract/sla-credits'
import type { FaultEffect } from '@agency/sandbox'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { lineOf, type SiteMonth } from './credit.ts'
import {
  balanceOf,
  creditsOf,
  give,
  hour,
  incidentAbout,
  minute,
  now,
  startWorld,
  subscribe,
  type World,
  watchedSite,
} from './test/world.ts'

const month = 30 * 86_400

const promise = fc.uniqueArray(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 5 }).chain((borders) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: borders.length, maxLength: borders.length })
    .map((percents): UptimePromise => {
      const [below, credits] = [borders.sort((a, b) => b - a), percents.sort((a, b) => a - b)]
      return {
        percent: below[0]! / 1000,
        tiers: below.map((border, index) => ({ below: border / 1000, credit_percent: credits[index]! })),
      }
    }),
)

const incidents = fc.array(
  fc.record({ site: fc.nat(2), down: fc.integer({ min: 0, max: month }), isGiven: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
)

test('the credits of a month never exceed its price, whatever is given in whichever order, and follow from the evidence', () => {
  fc.assert(
    fc.property(promise, incidents, fc.integer({ min: 1, max: 1_000_000 }), (promised, all, price) => {
      const facts = { subscription_id: 'sub_1', plan_name: 'Care', promise_version: 1, promise: promised, price }
      const downBefore = [0, 0, 0]
      let given = 0
      for (const { site, down, isGiven } of all) {
        const earlier = downBefore[site]!
        const months: SiteMonth[] = [
          {
            ...{ site: `site-${site}.example`, counted_seconds: month },
            ...{ incident_down_seconds: Math.min(down, month - earlier), earlier_down_seconds: earlier },
          },
        ]
        const line = lineOf('2026-11', months, facts, given)
        if (!line) continue
        expect(lineOf('2026-11', structuredClone(months), structuredClone(facts), given)).toEqual(line)
        expect(line.amount).toBeGreaterThanOrEqual(0)
        if (isGiven) given += line.amount
        downBefore[site] = earlier + months[0]!.incident_down_seconds
        expect(given).toBeLessThanOrEqual(price)
      }
    }),
    { numRuns: 2000 },
  )
})

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.close())

const effect = fc.constantFrom<FaultEffect>(
  { connection: 'lost' },
  { connection: 'destroy' },
  { malformed: 'json' },
  { status: 500, kept: true },
  { status: 500, kept: false },
  { status: 503 },
  { status: 429 },
  { status: 400, message: 'Not today.', kept: true },
)

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('give' as const),
      key: fc.nat(2),
      clicks: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('fault' as const), effect, times: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('resolve' as const), seconds: fc.integer({ min: 0, max: 300 }) }),
  },
)

test('whatever Stripe answers and however often it is pressed, a customer is credited once for an incident', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      run++
      world.console.clock.set(now)
      const { customer } = await subscribe(world)
      const outage = { from: now - 2 * hour, to: now - hour }
      const site = await watchedSite(world, customer, [outage])
      const incident = await incidentAbout(world, [site], outage)
      const [owed] = await creditsOf(world, incident)
      for (const each of steps) {
        if (each.type === 'fault')
          world.sandbox.faults.next('stripe', 'customers.createBalanceTransaction', each.effect, each.times)
        else if (each.type === 'give')
          await Promise.all(
            Array.from({ length: each.clicks }, () => give(world, incident, owed!, `${run}-${each.key}`)),
          )
        else {
          world.console.clock.advance(each.seconds * 1000)
          await runJob(world.console.ctx, 'billing.resolve-actions')
        }
        expect((await balanceOf(world, customer)).changes.length).toBeLessThanOrEqual(1)
      }
      world.sandbox.faults.clear()
      for (let tries = 0; tries < 12; tries++) {
        world.console.clock.advance(11 * minute)
        await runJob(world.console.ctx, 'billing.resolve-actions')
      }
      const { changes, balance } = await balanceOf(world, customer)
      const [shown] = await creditsOf(world, incident)
      // What is shown is what is so.
      expect({ state: shown?.state, made: changes.length, balance }).toEqual(
        changes.length === 1
          ? { state: 'given', made: 1, balance: -owed!.amount }
          : { state: 'proposed', made: 0, balance: 0 },
      )
    }),
    { numRuns: 25 },
  )
})
