import type { FaultEffect } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../src/context.ts'
import { resolveRun } from '../src/features/billing/index.ts'
import { sweep } from '../src/platform/runs/jobs.ts'
import { live } from './fixtures/mirror.ts'
import { actionOf, newKey, type ProviderWorld } from './provider-world.ts'
import { request } from './request.ts'

/** How an answer may go wrong so that nobody knows whether it was done. */
export const uncertain: [string, FaultEffect | number][] = [
  ['lost after it was done', { connection: 'lost' }],
  ['lost before it was done', { connection: 'destroy' }],
  ['cut in its middle', { connection: 'cut' }],
  ['a page instead', { malformed: 'html' }],
  ['away', 503],
]

type Handlers = Parameters<typeof resolveRun>[0]
type Send = ReturnType<ReturnType<typeof request>['as']>['post']

/** Finds out once what became of the actions of these kinds, as the queue does. */
export const resolveWith = (handlers: Handlers) => async (world: Pick<ProviderWorld, 'console'>) => {
  await sweep(asSystem(world.console.ctx, 'job', 'runs.sweep'), [resolveRun(handlers)], live())
}

/**
 * The world of one file, and its time: after each test the faults are gone and the console's clock is set back, because
 * the provider's own stays and is compared with.
 */
export function useWorld<World extends ProviderWorld>(
  start: () => Promise<World>,
  resolve: (world: World) => Promise<void>,
) {
  let world: World
  let advanced = 0
  const later = (ms: number) => {
    advanced += ms
    world.console.clock.advance(ms)
  }
  beforeAll(async () => {
    world = await start()
  })
  afterEach(() => {
    world.sandbox.faults.clear()
    later(-advanced)
  })
  afterAll(() => world?.close())
  return {
    world: () => world,
    root: () => request(world.console.ctx).as('super_admin'),
    later,
    fail: (call: string, effect: FaultEffect | number, times: number | null = 2) =>
      world.sandbox.faults.next('stripe', call, effect, times),
    /** Until every open action was looked at as often as it may be. */
    async resolveInTime(hours = 0): Promise<void> {
      later(hours * 3_600_000)
      for (let tries = 0; tries < 8; tries++) {
        later(11 * 60_000)
        await resolve(world)
      }
    },
  }
}

/** What is done, the name of its call at the provider, and how often the provider has done it. */
export type Act = { name: string; send: (key: string) => ReturnType<Send>; count: (key: string) => Promise<number> }

/** Tests that each act is done once or not at all, whatever becomes of its answer. */
export function testLostAnswers(
  { world, fail, resolveInTime }: ReturnType<typeof useWorld>,
  acts: Record<string, () => Promise<Act>>,
): void {
  const names = Object.keys(acts)
  const cases = names.flatMap((what) => uncertain.map(([how, effect]) => [what, how, effect] as const))

  test.each(cases)('%s whose answer is %s is found out by itself, and done once', async (what, _how, effect) => {
    const { name, send, count } = await acts[what]!()
    const key = newKey()
    fail(name, effect)
    const answer = await send(key)
    world().sandbox.faults.clear()
    if (answer.statusCode !== 200) {
      expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
      expect(answer.json().detail).toContain('Trying again is safe')
      await resolveInTime()
    }
    expect(await count(key)).toBe(1)
    expect(await actionOf(world(), key)).toMatchObject({ state: 'done', next_try_at: null })
    expect((await send(key)).json()).toMatchObject({ success: true })
  })

  test.each(names)('%s whose answer was lost is found out by the next press', async (what) => {
    const { name, send, count } = await acts[what]!()
    const key = newKey()
    fail(name, { connection: 'lost' })
    expect((await send(key)).json()).toMatchObject({ code: 'outcome_unknown' })
    world().sandbox.faults.clear()
    const again = await send(key)
    expect(again.statusCode, again.body).toBe(200)
    expect(await count(key)).toBe(1)
    expect(await actionOf(world(), key)).toMatchObject({ state: 'done' })
  })

  const aDayLater = names.flatMap((what) => [
    [what, 'it was done', { connection: 'lost' }, 'done', 1] as const,
    [what, 'nothing had arrived', { connection: 'destroy' }, 'failed', 0] as const,
  ])

  test.each(aDayLater)('a day later Stripe itself tells of %s: %s', async (what, _how, effect, state, times) => {
    const { name, send, count } = await acts[what]!()
    const key = newKey()
    fail(name, effect)
    expect((await send(key)).json()).toMatchObject({ code: 'outcome_unknown' })
    world().sandbox.faults.clear()
    await resolveInTime(25)
    expect(await actionOf(world(), key)).toMatchObject({ state, next_try_at: null })
    expect(await count(key)).toBe(times)
  })
}
