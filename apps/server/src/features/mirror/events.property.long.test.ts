import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sandbox } from '@agency/sandbox'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock, runJob } from '../../../test/context.ts'
import {
  type Console,
  dumpDifferences,
  dumpMirror,
  dumpTotals,
  gatewayOf,
  importAll,
  live,
  openConsole,
  startTestSandbox,
} from '../../../test/fixtures/mirror.ts'
import { startWorld, type WorldActs } from '../../../test/fixtures/world.ts'
import type { StripeGateway } from '../../integrations/stripe/gateway.ts'
import { recomputeMrrDue } from './check.ts'
import { receiveDelivery } from './inbox.ts'
import { verifyTotals } from './queries/totals.ts'
import { reconcileEvents } from './reconcile.ts'
import { walk } from './walk.ts'

const secret = 'whsec_of_the_property'
const runs = Number(process.env['PROPERTY_RUNS'] ?? 3)

type Step = {
  act: number
  /** 0: lost; 1: once; 2 and more: that often. One for each event of the step, over and over. */
  copies: number[]
  /** Where in the pile of deliveries each copy is put. */
  places: number[]
  deliver: number
  start: number
  release: number
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.nat(1000),
  copies: fc.array(fc.constantFrom(0, 0, 1, 1, 1, 2, 3), { minLength: 5, maxLength: 9 }),
  places: fc.array(fc.nat(1000), { minLength: 5, maxLength: 9 }),
  deliver: fc.nat(12),
  start: fc.nat(12),
  release: fc.nat(12),
})

/** Answers of the provider that are held back until they are let go, in any order. */
function createHolding(inner: StripeGateway) {
  const held: (() => void)[] = []
  let isHolding = false
  const hold = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const answer = await call(...args)
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
      return answer
    }
  }
  const gateway: StripeGateway = {
    ...inner,
    findObject: hold(inner.findObject),
    listObjects: hold(inner.listObjects),
    in: () => gateway,
  }
  return {
    gateway,
    begin() {
      isHolding = true
    },
    release(at: number) {
      held.splice(at % Math.max(1, held.length), 1)[0]?.()
    },
    /** The newest first, so that the oldest answers come last. */
    async end() {
      isHolding = false
      for (const letGo of held.splice(0).reverse()) {
        letGo()
        await sleep(5)
      }
    },
  }
}

function signed(body: string, atMs: number): string {
  const at = Math.floor(atMs / 1000)
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

/** What changes at the provider without an event, so that only a walk can find it. */
const untold = [
  /^customers \S+ raw\.(next_invoice_sequence|currency)$/,
  /^coupons \S+ raw\.times_redeemed$/,
  /^checkout_sessions \S+ is only there$/,
]

let sandbox: Sandbox
let stop: () => Promise<void>
let world: WorldActs

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 14 } }))
  world = await startWorld(sandbox)
})
afterAll(() => stop())

/** Runs the steps against a console; what is left of deliveries, jobs and answers comes last, then a reconcile. */
async function play(console_: Console, holding: ReturnType<typeof createHolding>, steps: Step[]): Promise<void> {
  const { ctx, system, enqueued, clock } = console_
  const pile: Record<string, unknown>[] = []
  const running: Promise<void>[] = []
  const deliver = async (payload: Record<string, unknown> | undefined) => {
    if (!payload) return
    const body = JSON.stringify(payload)
    await receiveDelivery(ctx, Buffer.from(body), signed(body, ctx.clock()))
  }
  const startJob = (at: number) => {
    const [job] = enqueued.splice(at % Math.max(1, enqueued.length), 1)
    // One that fails is tried again by the reconcile, as it would be by the queue.
    if (job) running.push(runJob(ctx, job.name, job.input).catch(() => {}))
  }
  holding.begin()
  for (const { act, copies, places, deliver: deliveries, start, release } of steps) {
    const events = await world.act(act)
    for (const [index, event] of events.entries()) {
      for (let copy = 0; copy < (copies[index % copies.length] ?? 1); copy++) {
        pile.splice((places[(index + copy) % places.length] ?? 0) % (pile.length + 1), 0, event)
      }
    }
    clock.set(Math.max(clock.now(), sandbox.control.now()))
    for (let count = 0; count < deliveries; count++) await deliver(pile.shift())
    for (let count = 0; count < start; count++) startJob(act + count)
    for (let count = 0; count < release; count++) {
      await new Promise((resolve) => setImmediate(resolve))
      holding.release(act + count)
    }
  }
  for (const event of pile) await deliver(event)
  await holding.end()
  await Promise.all(running)
  await console_.runJobs()
  await reconcileEvents(system, live())
  await console_.runJobs()
  await recomputeMrrDue(system)
}

test('however events come, twice, late, shuffled or not at all, a reconcile makes the mirror equal to the provider', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const clock = createTestClock()
      clock.set(sandbox.control.now())
      const holding = createHolding(gatewayOf(sandbox))
      const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: secret }
      const followed = await openConsole(sandbox, { clock, stripe: holding.gateway, env })
      const fresh = await openConsole(sandbox, { clock })
      try {
        await importAll(followed.system)
        await play(followed, holding, steps)
        await importAll(fresh.system)
        const truth = await dumpMirror(fresh.ctx)
        const byEvents = dumpDifferences(await dumpMirror(followed.ctx), truth)
        expect(byEvents.filter((difference) => !untold.some((pattern) => pattern.test(difference)))).toEqual([])
        await walk(followed.system, live())
        expect(dumpDifferences(await dumpMirror(followed.ctx), truth)).toEqual([])
        const { customer_counts: _, daily_customers: __, ...ours } = await dumpTotals(followed.ctx)
        // A customer that was deleted stays here as a cancelled one, and is unknown to a new mirror.
        const { customer_counts: ___, daily_customers: ____, ...theirs } = await dumpTotals(fresh.ctx)
        expect(ours).toEqual(theirs)
        expect(await verifyTotals(followed.ctx.db)).toEqual([])
        expect(await verifyTotals(fresh.ctx.db)).toEqual([])
      } finally {
        await followed.close()
        await fresh.close()
      }
    }),
    { numRuns: runs, endOnFailure: true },
  )
})
