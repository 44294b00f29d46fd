import { randomUUID } from 'node:crypto'
import type { FaultEffect } from '@agency/sandbox'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob } from '../test/context.ts'
import { dumpDifferences, dumpMirror, importAll, live, openConsole } from '../test/fixtures/mirror.ts'
import { ask, lostActions } from '../test/lost-actions.ts'
import { startWorld, type World } from './features/lifecycle/test/world.ts'
import { catchUp, verifyTotals } from './features/mirror/index.ts'

const runs = 4
/** In each run; 500 together. */
const actions = 125

let world: World
beforeAll(async () => {
  world = await startWorld(3)
})
afterAll(() => world?.close())

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
)
const act = fc.record({
  action: fc.constantFrom(...lostActions),
  fault: fc.option(fc.record({ effect, times: fc.integer({ min: 1, max: 3 }) })),
  /** Under one key, or each under its own. */
  presses: fc.constantFrom<'one' | 'double' | 'two'>('one', 'one', 'double', 'two'),
  /** Later what became of the open ones is looked for. */
  minutes: fc.constantFrom(0, 0, 0, 2, 11),
})
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

async function settleFor(minutes: number): Promise<void> {
  world.console.clock.advance(minutes * 60_000)
  await runJob(world.console.ctx, 'runs.sweep')
}

async function play({ action, fault, presses, minutes }: Act): Promise<void> {
  const call = await action.prepare(world)
  const { faults } = world.sandbox
  if (fault) for (const method of ['POST', 'DELETE']) faults.next('stripe', { method }, fault.effect, fault.times)
  const key = randomUUID()
  const keys = { one: [key], double: [key, key], two: [key, randomUUID()] }[presses]
  await Promise.all(keys.map((each) => ask(world, each, call)))
  faults.clear()
  if (minutes > 0) await settleFor(minutes)
}

/** Of the kinds that make something: what was made carries the id of its action. */
const makers: Record<string, string> = {
  ...{ refund: 'refund', subscription_create: 'subscription', invoice_create: 'invoice', customer_create: 'customer' },
  ...{ coupon_create: 'coupon', promotion_code_create: 'promotion_code', payment_link_create: 'payment_link' },
}

/** The actions that made something at the provider, each as often as it did. */
async function madeBy(kinds: readonly string[]): Promise<string[]> {
  const made: string[] = []
  for (const kind of new Set(kinds))
    for (const object of await world.sandbox.control.dump(kind as 'refund')) {
      const id = (object['metadata'] as Record<string, string> | undefined)?.['action_id']
      // Of customers it is told with the kind before it.
      if (id) made.push(id.slice(-36))
    }
  return made.toSorted()
}

async function actionsIn(): Promise<{ id: string; kind: string; state: string }[]> {
  return (await world.console.ctx.pool.query('select id, kind, state from money_actions')).rows
}

test(`${runs * actions} random actions and faults: each is done once or not at all, and the mirror equals the provider`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: actions, maxLength: actions }), async (acts) => {
      for (const each of acts) await play(each)
      // First within the day in which the provider keeps its keys, then after it.
      for (const minutes of [11, 11, 24 * 60, 11, 11]) await settleFor(minutes)
      const known = await actionsIn()
      expect(known.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
      const done = known.filter(({ kind, state }) => state === 'done' && makers[kind] !== undefined)
      expect(await madeBy(Object.values(makers))).toEqual(done.map(({ id }) => id).toSorted())

      await catchUp(world.console.system, live())
      const fresh = await openConsole(world.sandbox, { clock: world.console.clock })
      try {
        await importAll(fresh.system)
        expect(dumpDifferences(await dumpMirror(world.console.ctx), await dumpMirror(fresh.ctx))).toEqual([])
      } finally {
        await fresh.close()
      }
      expect(await verifyTotals(world.console.ctx.db)).toEqual([])
    }),
    { numRuns: runs, endOnFailure: true },
  )
})
