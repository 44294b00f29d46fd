import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayOf, importAll, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { connectStripe } from '../../connect-stripe.ts'
import { asSystem } from '../../context.ts'
import { applyOrTell } from './apply.ts'

type Sandboxed = Awaited<ReturnType<typeof startTestSandbox>>
type Opened = Awaited<ReturnType<typeof openConsole>>

let world: Sandboxed
let consoles: Opened[]

beforeAll(async () => {
  world = await startTestSandbox({ size: { customers: 30 } })
  const first = await openConsole(world.sandbox)
  await importAll(first.system)
  consoles = [first, await openConsole(world.sandbox, { database: first.database, clock: first.clock })]
  const { secretKey, baseUrl: apiBase } = world.sandbox.stripe
  for (const { ctx } of consoles) ctx.replace({ stripe: connectStripe({ secretKey, apiBase }, ctx).gateway })
})

afterAll(async () => {
  for (const opened of consoles?.toReversed() ?? []) await opened.close()
  await world?.stop()
})

test('once Stripe said to wait, no work of any process asks before the time that it told', async () => {
  const customers = (await world.sandbox.control.dump('customer')).map(({ id }) => String(id))
  const apply = (round: number) =>
    Promise.allSettled(
      customers.map((id, index) =>
        applyOrTell(
          asSystem(consoles[(index + round) % 2]!.ctx, 'job', 'test'),
          { kind: 'customer', id },
          { isLastAttempt: false },
        ),
      ),
    )
  const asked = () => world.sandbox.requestLog().length
  const start = asked()
  world.sandbox.faults.next('stripe', '*', { status: 429, retryAfter: 60 }, null)
  await applyOrTell(
    asSystem(consoles[0]!.ctx, 'job', 'test'),
    { kind: 'customer', id: customers[0]! },
    { isLastAttempt: false },
  ).catch(() => {})
  // The sandbox writes a request down after it has answered.
  await expect.poll(asked).toBe(start + 1)
  for (let round = 0; round < 20; round++) {
    const tries = await apply(round)
    expect(tries.every(({ status }) => status === 'rejected')).toBe(true)
    consoles[0]!.clock.advance(2900)
  }
  expect(asked()).toBe(start + 1)
  world.sandbox.faults.clear()
  consoles[0]!.clock.advance(2001)
  const tries = await apply(0)
  expect(tries.every(({ status }) => status === 'fulfilled')).toBe(true)
})

test('what a person asks for meanwhile is told as not done', async () => {
  world.sandbox.faults.next('stripe', '*', { status: 429, retryAfter: 60 }, 1)
  await expect(consoles[0]!.ctx.stripe!.in('job').ping()).rejects.toMatchObject({ kind: 'rate_limit' })
  const payment = String((await world.sandbox.control.dump('payment_intent'))[0]?.['id'])
  const refund = { paymentId: payment, metadata: {}, idempotencyKey: 'limited' }
  const isRefund = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/v1/refunds'
  await expect(consoles[1]!.ctx.stripe!.refund(refund)).rejects.toMatchObject({
    code: 'provider_rate_limit',
    retryAfter: 60,
    mayHaveRun: false,
  })
  expect(world.sandbox.requestLog().filter(isRefund)).toEqual([])
  // Another account is another allowance.
  await gatewayOf(world.sandbox).ping()
})
