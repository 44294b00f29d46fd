import type { Sandbox } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Console,
  dumpDifferences,
  dumpMirror,
  gatewayOf,
  importAll,
  live,
  openConsole,
  startTestSandbox,
} from '../../../test/fixtures/mirror.ts'
import { request } from '../../../test/request.ts'
import { asSystem } from '../../context.ts'
import { checkProvider } from './check.ts'
import { requestImport, runImport } from './import.ts'
import { watchStripe } from './problem.ts'
import { mirrorState } from './service.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let console_: Console

const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

/** A console whose screens learn of the provider's problems, with little patience. */
async function openWatched(): Promise<Console> {
  const opened = await openConsole(sandbox, { env })
  const { db, clock, log } = opened.ctx
  const stripe = watchStripe(gatewayOf(sandbox, 300), { db, clock, log })
  const ctx = { ...opened.ctx, stripe }
  return { ...opened, ctx, system: asSystem(ctx, 'job', 'test') }
}

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 12 } }))
  console_ = await openWatched()
  await importAll(console_.system)
})
afterAll(async () => {
  await console_.close()
  await stop()
})
afterEach(() => sandbox.faults.clear())

const faults = [
  ['is down', { status: 503 }, 'Stripe has an outage (503)'],
  ['is slow', { delayMs: 1500 }, 'Stripe could not be reached'],
  ['limits our calls', { status: 429, retryAfter: 0 }, 'Rate limit of Stripe reached'],
  ['refuses the key', { status: 401 }, 'Stripe refused the key (401)'],
  ['answers a page of HTML', { malformed: 'html' as const }, 'not JSON'],
  ['answers half of it', { connection: 'cut' as const }, 'Stripe'],
  ['does not answer', { connection: 'destroy' as const }, 'Stripe could not be reached'],
  ['answers a list without data', { malformed: 'null_data' as const }, 'without data'],
] as const

describe('while the provider', () => {
  test.each(faults)('%s, the screens say so since when, until it is over', async (_, effect, message) => {
    const before = await dumpMirror(console_.ctx)
    sandbox.faults.next('stripe', { path: '/v1/events' }, effect, null)
    const from = console_.ctx.clock()
    await expect(checkProvider(console_.system, live())).rejects.toThrow()
    console_.clock.advance(10_000)
    await expect(checkProvider(console_.system, live())).rejects.toThrow()
    const { problem, problem_since } = await mirrorState(console_.ctx)
    expect(problem).toContain(message)
    expect(Date.parse(problem_since ?? '')).toBeGreaterThanOrEqual(from)
    expect(Date.parse(problem_since ?? '')).toBeLessThan(from + 10_000)
    expect(dumpDifferences(await dumpMirror(console_.ctx), before)).toEqual([])

    const answer = await request(console_.ctx).as('readonly').get('/mirror')
    expect(answer.statusCode).toBe(403)
    sandbox.faults.clear()
    await checkProvider(console_.system, live())
    expect(await mirrorState(console_.ctx)).toMatchObject({ problem: null, problem_since: null })
  })

  test.each(faults.filter((_, index) => index % 2 === 0))(
    '%s, an import stops, says why, and goes on by itself',
    async (_, effect, message) => {
      const opened = await openWatched()
      try {
        await requestImport(opened.system, 'test')
        sandbox.faults.next('stripe', { path: '/v1/invoices' }, effect, null)
        await expect(runImport(opened.system, live())).rejects.toThrow()
        const failed = (await mirrorState(opened.ctx)).first_import
        expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining(message) })
        expect(failed?.steps.find((step) => step.object === 'subscription')?.state).toBe('done')
        await expect(runImport(opened.system, live())).rejects.toThrow()
        const told = await opened.ctx.db.selectFrom('notifications').select('type').execute()
        expect(told).toEqual([{ type: 'import.failed' }])
        sandbox.faults.clear()
        await runImport(opened.system, live())
        expect((await mirrorState(opened.ctx)).first_import).toMatchObject({ state: 'done', error: null })
        expect(dumpDifferences(await dumpMirror(opened.ctx), await dumpMirror(console_.ctx))).toEqual([])
      } finally {
        await opened.close()
      }
    },
  )

  test('hiccups for a moment, an import does not even stop', async () => {
    const opened = await openWatched()
    try {
      await requestImport(opened.system, 'test')
      sandbox.faults.next('stripe', { path: '/v1/charges' }, { status: 429, retryAfter: 0 }, 2)
      await runImport(opened.system, live())
      expect((await mirrorState(opened.ctx)).first_import).toMatchObject({ state: 'done', error: null })
    } finally {
      await opened.close()
    }
  })
})
