import type { FaultEffect } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { execute } from '../../../test/database.ts'
import { startDyingConsole } from './money-actions/test/dying-console.ts'
import {
  actionOf,
  actionsOf,
  auditOf,
  makePayment,
  mirroredPayment,
  mirrorObject,
  person,
  refundsOf,
  resolve,
  resolveInTime,
  sentAbout,
  startWorld,
  type World,
} from './money-actions/test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterEach(() => world.sandbox.faults.clear())
afterAll(() => world?.close())

const fail = (effect: FaultEffect | number, times = 2, call = 'refunds.create') =>
  world.sandbox.faults.next('stripe', call, effect, times)
const later = (ms: number) => world.console.clock.advance(ms)

async function expectUnknown(payment: string, key: string, body: Record<string, unknown> = {}) {
  const answer = await world.ada.refund(payment, body, key)
  expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
  expect(answer.json().detail).toContain('Outcome of the refund')
  expect(await actionOf(world, key)).toMatchObject({ state: 'unknown', answer: null, finished_at: null })
  return answer.json()
}

async function expectDone(payment: string, key: string) {
  const [refund, ...more] = await refundsOf(world, payment)
  expect(more).toEqual([])
  expect(refund).toMatchObject({ metadata: { action_id: key } })
  expect(await actionOf(world, key)).toMatchObject({
    state: 'done',
    result_id: refund!.id,
    error: null,
    next_try_at: null,
  })
  expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: refund!.amount })
  const { statusCode, json } = await world.ada.refund(payment, {}, key)
  expect(statusCode).toBe(200)
  expect(json()).toMatchObject({ refund: { id: refund!.id }, payment: { refunded_amount: refund!.amount } })
}

describe('an answer that is lost', () => {
  test('is asked for again under the same key, and the refund is made once', async () => {
    const { payment } = await makePayment(world)
    fail({ connection: 'lost' })
    const { detail } = await expectUnknown(payment, 'lost-1')
    expect(detail).toBe(
      'Stripe could not be reached. Outcome of the refund of $100.00 unknown. The console checks with Stripe, usually within a few minutes: please do not start it again.',
    )
    expect((await world.ada.refund(payment, {}, 'lost-1')).json()).toMatchObject({ code: 'outcome_unknown', detail })
    expect((await world.bob.refund(payment)).json()).toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/^Ada started a refund of \$100.00 just now; outcome unknown/),
    })
    // Neither before its time, nor twice.
    await resolve(world.console)
    expect(await actionOf(world, 'lost-1')).toMatchObject({ state: 'unknown' })
    later(6000)
    await resolve(world.console)
    await resolve(world.console)
    await expectDone(payment, 'lost-1')
    expect(new Set(sentAbout(world, payment).map((request) => request.idempotencyKey))).toEqual(
      new Set(['refund-lost-1']),
    )
    expect(await auditOf(world, payment)).toEqual([
      'Ada payment.refund requested done',
      'billing.resolve-actions payment.refund done done',
    ])
    const told = await world.console.ctx.db.selectFrom('notifications').selectAll().execute()
    expect(told).toMatchObject([
      {
        title: 'The refund of $100.00 succeeded',
        severity: 'success',
        body: 'Started by Ada; confirmed after the answer was lost.',
        link: `/admin/payments?open=${payment}`,
      },
    ])
  })

  test('is found out by the job that is enqueued for it', async () => {
    const { payment } = await makePayment(world)
    world.console.enqueued.length = 0
    fail({ connection: 'lost' })
    await expectUnknown(payment, 'enqueued-1')
    expect(world.console.enqueued).toEqual([{ name: 'billing.resolve-actions', input: { subject: 'enqueued-1' } }])
    later(6000)
    await world.console.runJobs()
    await expectDone(payment, 'enqueued-1')
  })

  test('is found out by another process when the first was killed after the call', async () => {
    const { payment } = await makePayment(world)
    fail({ delayMs: 20_000 }, 1, 'paymentIntents.retrieve')
    const dying = startDyingConsole(world.sandbox, world.console.database.connectionString, {
      payment,
      key: 'killed-1',
    })
    await expect.poll(() => refundsOf(world, payment), { interval: 20 }).toHaveLength(1)
    await dying.kill()
    world.sandbox.faults.clear()
    expect(await actionOf(world, 'killed-1')).toMatchObject({ state: 'started' })
    const two = await world.openProcess()
    await resolve(two)
    expect(await actionOf(world, 'killed-1')).toMatchObject({ state: 'started' })
    later(61_000)
    const unknown = await world.ada.refund(payment, {}, 'killed-1')
    expect(unknown.json()).toMatchObject({ code: 'outcome_unknown' })
    await resolve(two)
    await expectDone(payment, 'killed-1')
  })

  test.each<[string, FaultEffect | number]>([
    ['nothing was done and the connection ended', { connection: 'destroy' }],
    ['the body was cut', { connection: 'cut' }],
    ['a page came instead', { malformed: 'html' }],
    ['the JSON was broken', { malformed: 'json' }],
    ['the provider was away', 503],
    ['the provider failed without keeping it', { status: 500, kept: false }],
    ['another call with the key was running', { status: 409, code: 'idempotency_key_in_use' }],
  ])('is resolved after %s', async (name, effect) => {
    const { payment } = await makePayment(world)
    fail(effect)
    await expectUnknown(payment, name)
    world.sandbox.faults.clear()
    later(6000)
    await resolve(world.console)
    await expectDone(payment, name)
  })

  test('is resolved after the answer took too long', async () => {
    const { payment } = await makePayment(world)
    const { gatewayOf } = await import('../../../test/fixtures/mirror.ts')
    const hasty = await world.openProcess({ stripe: gatewayOf(world.sandbox, 150) })
    fail({ delayMs: 600 })
    const answer = await person(hasty, 'Ada').refund(payment, {}, 'timeout-1')
    expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    later(6000)
    await resolve(world.console)
    await expectDone(payment, 'timeout-1')
  })

  test('waits longer and longer while the provider is away', async () => {
    const { payment } = await makePayment(world)
    fail(503, 1000)
    await expectUnknown(payment, 'patience-1')
    const waits: number[] = []
    for (let tries = 0; tries < 10; tries++) {
      const { next_try_at } = await actionOf(world, 'patience-1')
      waits.push(Math.round((next_try_at!.getTime() - world.console.clock.now()) / 1000))
      later(next_try_at!.getTime() - world.console.clock.now())
      await resolve(world.console)
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
    world.sandbox.faults.clear()
    later(601_000)
    await resolve(world.console)
    await expectDone(payment, 'patience-1')
  })
})

describe('a call that nobody has looked at', () => {
  test('is sent again under its key while there is time', async () => {
    const { payment } = await makePayment(world)
    fail(429, 2)
    expect((await world.ada.refund(payment, {}, 'limited-1')).statusCode).toBe(200)
    expect(sentAbout(world, payment).map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array.from({ length: 3 }, () => 'refund-limited-1'),
    )
  })

  test('is told as not done when the limit stays', async () => {
    const { payment } = await makePayment(world)
    fail({ status: 429, retryAfter: 60 }, 1)
    const refused = await world.ada.refund(payment, {}, 'limited-2')
    expect(refused.json()).toMatchObject({
      status: 503,
      code: 'provider_rate_limit',
      detail: 'Rate limit of Stripe reached. Nothing was changed; try again in a moment.',
    })
    expect(await actionOf(world, 'limited-2')).toMatchObject({ state: 'failed' })
    expect((await world.ada.refund(payment, {}, 'limited-3')).statusCode).toBe(200)
  })

  test('says nothing of an earlier try that was lost', async () => {
    const { payment } = await makePayment(world)
    fail({ connection: 'lost' }, 1)
    fail({ status: 429, retryAfter: 60 }, 1)
    await expectUnknown(payment, 'limited-4')
    later(6000)
    await resolve(world.console)
    await expectDone(payment, 'limited-4')
  })
})

describe('a failure that the provider keeps under the key', () => {
  test('is over once the list of refunds proves that nothing happened: then it is tried under a new key', async () => {
    const { payment } = await makePayment(world)
    fail({ status: 500, kept: true })
    await expectUnknown(payment, 'kept-1')
    later(30_000)
    await resolve(world.console)
    expect(await actionOf(world, 'kept-1')).toMatchObject({ state: 'unknown' })
    expect(await refundsOf(world, payment)).toEqual([])
    later(60_000)
    await resolve(world.console)
    await expectDone(payment, 'kept-1')
    expect(new Set(sentAbout(world, payment).map((request) => request.idempotencyKey))).toEqual(
      new Set(['refund-kept-1', 'refund.2-kept-1']),
    )
  })

  test('is told as failed when it comes back under the last key', async () => {
    const { payment } = await makePayment(world)
    fail({ status: 500, kept: true })
    await expectUnknown(payment, 'kept-2')
    await world.console.ctx.pool.query('update money_actions set keys_used = 3 where id = $1', ['kept-2'])
    later(90_000)
    await resolve(world.console)
    const detail = 'Stripe failed several times; no refund was made. Try again.'
    expect(await actionOf(world, 'kept-2')).toMatchObject({ state: 'failed', keys_used: 3, error: { message: detail } })
    expect((await world.ada.refund(payment, {}, 'kept-2')).json()).toMatchObject({ detail })
    expect(await refundsOf(world, payment)).toEqual([])
    world.sandbox.faults.clear()
    expect((await world.ada.refund(payment, {}, 'kept-3')).statusCode).toBe(200)
  })

  test('is not over while the list cannot be read', async () => {
    const { payment } = await makePayment(world)
    fail({ status: 500, kept: true })
    await expectUnknown(payment, 'kept-4')
    fail(503, 100, 'refunds.list')
    await resolveInTime(world)
    expect(await actionOf(world, 'kept-4')).toMatchObject({ state: 'unknown', keys_used: 1 })
    world.sandbox.faults.clear()
    await resolveInTime(world)
    await expectDone(payment, 'kept-4')
  })

  test('does not hide a refund that was made: it is looked for by its action', async () => {
    const { payment } = await makePayment(world)
    fail({ connection: 'lost' })
    await expectUnknown(payment, 'hidden-1')
    fail(500, 1)
    later(6000)
    await resolve(world.console)
    await expectDone(payment, 'hidden-1')
  })
})

test('does not send again after a day: the refund is looked for', async () => {
  const { payment } = await makePayment(world)
  fail({ connection: 'lost' })
  await expectUnknown(payment, 'day-1')
  const sent = sentAbout(world, payment).length
  later(24 * 3_600_000)
  await resolve(world.console)
  await expectDone(payment, 'day-1')
  expect(sentAbout(world, payment)).toHaveLength(sent)
})

test('finds its refund among many of the same payment', async () => {
  const { payment } = await makePayment(world)
  fail({ connection: 'lost' })
  await expectUnknown(payment, 'many-1', { amount: 1 })
  for (let count = 0; count < 120; count++)
    await world.sandbox.control.scenario('refund_created', { payment_intent: payment, amount: 1 })
  later(24 * 3_600_000)
  await resolve(world.console)
  expect(await actionOf(world, 'many-1')).toMatchObject({ state: 'done' })
  expect((await refundsOf(world, payment)).filter((refund) => refund.metadata['action_id'])).toHaveLength(1)
})

test('stores a refund as it is now, not as it was when it was first answered', async () => {
  const { payment, customer } = await makePayment(world)
  await world.sandbox.control.scenario('next_refund', { customer, outcome: 'pending' })
  fail({ connection: 'lost' })
  await expectUnknown(payment, 'old-1')
  const [refund] = await refundsOf(world, payment)
  await world.sandbox.control.scenario('refund_fails', { refund: refund!.id })
  await mirrorObject(world.console, 'refund', refund!.id)
  later(6000)
  await resolve(world.console)
  const detail = 'Stripe could not make the refund: expired or canceled card. No money moved.'
  expect(await actionOf(world, 'old-1')).toMatchObject({ state: 'failed', error: { message: detail } })
  const { rows } = await world.console.ctx.pool.query('select status from refunds where id = $1', [refund!.id])
  expect(rows).toEqual([{ status: 'failed' }])
  expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 0 })
})

test('never sends one action twice at a time, however many processes look', async () => {
  const { payment } = await makePayment(world)
  fail({ connection: 'lost' })
  await expectUnknown(payment, 'crowd-1')
  const before = sentAbout(world, payment).length
  const processes = [world.console, await world.openProcess(), await world.openProcess()]
  fail({ delayMs: 300 }, 10)
  later(6000)
  await Promise.all([...processes, ...processes].map(resolve))
  expect(sentAbout(world, payment)).toHaveLength(before + 1)
  world.sandbox.faults.clear()
  await expectDone(payment, 'crowd-1')
})

test('leaves to the job what could not be written down', async () => {
  const { payment } = await makePayment(world)
  const { connectionString } = world.console.database
  await execute(
    connectionString,
    `create function break() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
     create trigger break before insert on refunds for each row execute function break()`,
  )
  const answer = await world.ada.refund(payment, {}, 'unwritten-1')
  await execute(connectionString, 'drop trigger break on refunds; drop function break')
  expect(answer.json()).toMatchObject({
    status: 504,
    code: 'outcome_unknown',
    detail: 'Stripe accepted the refund of $100.00. The console records it soon: please do not start it again.',
  })
  expect(await refundsOf(world, payment)).toHaveLength(1)
  expect(await actionOf(world, 'unwritten-1')).toMatchObject({ state: 'started' })
  // The webhook repairs the copy, the job the record.
  await mirrorObject(world.console, 'payment', payment)
  expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 10_000 })
  later(61_000)
  await resolve(world.console)
  await expectDone(payment, 'unwritten-1')
})

test('knows a refund for done although the payment cannot be read, and reads it later', async () => {
  const { payment } = await makePayment(world)
  fail(503, 1, 'paymentIntents.retrieve')
  const answer = await world.ada.refund(payment, { amount: 6000 }, 'stale-1')
  expect(answer.json()).toMatchObject({
    success: true,
    refund: { amount: 6000 },
    payment: { refunded_amount: 6000, refundable_amount: 4000 },
    payment_read: false,
  })
  expect(await actionOf(world, 'stale-1')).toMatchObject({ state: 'done', copy_stale: true })
  const tooMuch = await world.bob.refund(payment, { amount: 4001 })
  expect(tooMuch.json()).toMatchObject({ parameter: 'amount' })
  later(6000)
  await resolve(world.console)
  expect(await actionOf(world, 'stale-1')).toMatchObject({ state: 'done', copy_stale: false, next_try_at: null })
  expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 6000 })
  expect((await world.bob.refund(payment)).json()).toMatchObject({ refund: { amount: 4000 } })
})

test('corrects an action that counted as failed when its refund shows up', async () => {
  const { payment } = await makePayment(world)
  fail({ connection: 'lost' }, 1)
  fail(401, 1)
  expect((await world.ada.refund(payment, {}, 'shown-1')).json()).toMatchObject({ code: 'outcome_unknown' })
  // The refusal of the second try was once taken for that of the first.
  await world.console.ctx.pool.query("update runs set state = 'done', next_try_at = null where subject = 'shown-1'")
  await world.console.ctx.pool.query(
    `update money_actions set state = 'failed', finished_at = $1, answer_status = 502,
       error = '{"code": "provider_auth", "message": "Stripe refused the key"}' where id = 'shown-1'`,
    [new Date(world.console.clock.now())],
  )
  const [refund] = await refundsOf(world, payment)
  await mirrorObject(world.console, 'refund', refund!.id)
  await resolve(world.console)
  await expectDone(payment, 'shown-1')
  expect(await actionsOf(world, payment)).toHaveLength(1)
})

test('does nothing while no provider is connected', async () => {
  const { payment } = await makePayment(world)
  fail({ connection: 'lost' })
  await expectUnknown(payment, 'alone-1')
  later(6000)
  await resolve(await world.openProcess({ stripe: null }))
  expect(await actionOf(world, 'alone-1')).toMatchObject({ state: 'unknown', attempts: 1 })
  await resolve(world.console)
  await expectDone(payment, 'alone-1')
})
