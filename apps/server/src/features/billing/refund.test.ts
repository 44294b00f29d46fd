import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
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

describe('refunds', () => {
  test('refunds a part and then the rest', async () => {
    const { payment } = await makePayment(world)
    const part = await world.ada.refund(payment, { amount: 2500, reason: 'duplicate' }, 'part-1')
    expect(part.statusCode).toBe(200)
    expect(part.json()).toMatchObject({
      success: true,
      payment: { id: payment, status: 'succeeded', amount: 10_000, refunded_amount: 2500, refundable_amount: 7500 },
      refund: { payment_id: payment, amount: 2500, currency: 'usd', status: 'succeeded', reason: 'duplicate' },
    })
    const rest = await world.bob.refund(payment)
    expect(rest.json()).toMatchObject({
      payment: { status: 'refunded', refunded_amount: 10_000, refundable_amount: 0 },
      refund: { amount: 7500, reason: null },
    })
    expect(await refundsOf(world, payment)).toMatchObject([
      { amount: 2500, reason: 'duplicate', metadata: { action_id: 'part-1' } },
      { amount: 7500, reason: null },
    ])
    expect(await mirroredPayment(world, payment)).toMatchObject({ status: 'refunded', net_amount: 0 })
    expect(await auditOf(world, payment)).toEqual([
      'Ada payment.refund requested done',
      'Ada payment.refund done done',
      'Bob payment.refund requested done',
      'Bob payment.refund done done',
    ])
    expect(await actionOf(world, 'part-1')).toMatchObject({
      state: 'done',
      attempts: 1,
      amount: 2500,
      result_id: part.json().refund.id,
      provider_key: 'refund-part-1',
      provider_request_id: expect.stringMatching(/^req_/),
      next_try_at: null,
      copy_stale: false,
    })
  })

  test('lists what was started, newest first, by target and state', async () => {
    const { payment } = await makePayment(world)
    await world.ada.refund(payment, { amount: 1 })
    await world.bob.refund(payment, { amount: 2 })
    const { actions } = (await world.ada.actions(`?target=${payment}`)).json()
    expect(actions).toMatchObject([
      { kind: 'refund', target_id: payment, state: 'done', amount: 2, currency: 'usd', actor_name: 'Bob', error: null },
      { amount: 1, actor_name: 'Ada' },
    ])
    expect((await world.ada.actions(`?target=${payment}&state=failed`)).json()).toEqual({ actions: [] })
  })

  test('refunds a currency without minor units', async () => {
    const { payment } = await makePayment(world, { currency: 'jpy', amount: 5000 })
    const refused = await world.ada.refund(payment, { amount: 5001 })
    expect(refused.json()).toMatchObject({
      code: 'invalid_request',
      parameter: 'amount',
      detail: 'amount of ¥5,001 is more than the ¥5,000 that can be refunded',
    })
    const done = await world.ada.refund(payment, { amount: 4999 })
    expect(done.json()).toMatchObject({ payment: { refundable_amount: 1 }, refund: { amount: 4999, currency: 'jpy' } })
  })

  test('says that a refund is pending, and that it failed later', async () => {
    const { payment, customer } = await makePayment(world)
    await world.sandbox.control.scenario('next_refund', { customer, outcome: 'pending' })
    const answer = await world.ada.refund(payment, {}, 'pending-1')
    expect(answer.json()).toMatchObject({
      success: true,
      refund: { status: 'pending' },
      payment: { refundable_amount: 0 },
    })
    expect(await actionOf(world, 'pending-1')).toMatchObject({ state: 'done' })
    await world.sandbox.control.scenario('refund_fails', { refund: answer.json().refund.id })
    await mirrorObject(world.console, 'refund', answer.json().refund.id)
    const again = await world.ada.refund(payment)
    expect(again.json()).toMatchObject({ refund: { amount: 10_000, status: 'succeeded' } })
  })

  test('says that a refund failed at once', async () => {
    const { payment } = await makePayment(world)
    const { stripe } = world.console.ctx
    const failing = await world.openProcess({
      stripe: {
        ...stripe!,
        async refund(request) {
          const { object, requestId } = await stripe!.refund(request)
          return { object: { ...object, status: 'failed', failure_reason: 'expired_or_canceled_card' }, requestId }
        },
      },
    })
    const answer = await person(failing, 'Ada').refund(payment, {}, 'failed-1')
    expect(answer.statusCode).toBe(422)
    const detail = 'Stripe could not make the refund: expired or canceled card. No money moved.'
    expect(answer.json()).toMatchObject({ code: 'provider_invalid', detail })
    expect(await actionOf(world, 'failed-1')).toMatchObject({
      state: 'failed',
      result_id: expect.stringMatching(/^re_/),
    })
    expect(await auditOf(world, payment)).toEqual([
      'Ada payment.refund requested done',
      'Ada payment.refund failed failed',
    ])
  })
})

describe('refusals', () => {
  /** Neither the provider, nor the payment, nor the records hear of it. */
  async function expectRefused(payment: string, body: Record<string, unknown>, expected: Record<string, unknown>) {
    const before = await world.console.ctx.db.selectFrom('payments').selectAll().where('id', '=', payment).execute()
    const actions = (await actionsOf(world, payment)).length
    const audit = (await auditOf(world, payment)).length
    const sent = sentAbout(world, payment).length
    const answer = await world.ada.refund(payment, body, `refused-${Math.random()}`)
    expect({ ...answer.json(), status: answer.statusCode }).toMatchObject(expected)
    expect(await world.console.ctx.db.selectFrom('payments').selectAll().where('id', '=', payment).execute()).toEqual(
      before,
    )
    expect(await actionsOf(world, payment)).toHaveLength(actions)
    expect(await auditOf(world, payment)).toHaveLength(audit)
    expect(sentAbout(world, payment)).toHaveLength(sent)
  }

  test.each([
    [0, 'amount: must be more than 0'],
    [-1, 'amount: must be more than 0'],
    [0.5, 'amount: must be a whole number of minor units'],
    ['1', 'amount: must be a whole number of minor units'],
    [10_001, 'amount of $100.01 is more than the $100.00 that can be refunded'],
    [999_999_999_999, 'amount of $9,999,999,999.99 is more than the $100.00 that can be refunded'],
  ])('refuses to refund %s of 10000', async (amount, detail) => {
    const { payment } = await makePayment(world)
    await expectRefused(payment, { amount }, { status: 400, code: 'invalid_request', parameter: 'amount', detail })
  })

  test('refuses an unknown reason and an unknown field', async () => {
    const { payment } = await makePayment(world)
    await expectRefused(payment, { reason: 'because' }, { status: 400, parameter: 'reason' })
    await expectRefused(payment, { amout: 1 }, { status: 400, parameter: 'amout' })
  })

  test('refuses a payment that does not exist', async () => {
    await expectRefused('pi_none', {}, { status: 404, code: 'not_found', detail: 'Payment pi_none does not exist' })
  })

  test.each([
    ['payment_fails', 'This payment failed: nothing to refund'],
    ['payment_requires_action', 'This payment is pending: refund after it succeeds'],
    ['payment_processing', 'This payment is processing: refund after it succeeds'],
  ])('refuses a payment after %s', async (scenario, detail) => {
    const { payment } = await makePayment(world, {}, scenario)
    await expectRefused(payment, {}, { status: 409, code: 'conflict', detail })
  })

  test('refuses what was refunded already, and says by whom', async () => {
    const { payment } = await makePayment(world)
    await world.bob.refund(payment)
    const detail = 'This payment was already refunded in full, last by Bob just now'
    await expectRefused(payment, {}, { status: 409, code: 'conflict', detail })
    await expectRefused(payment, { amount: 1 }, { status: 409, code: 'conflict', detail })
  })

  test('refuses while the bank decides on a dispute, and after it was lost', async () => {
    const { payment } = await makePayment(world)
    const { dispute } = await world.sandbox.control.scenario('dispute_opened', { payment_intent: payment })
    await mirrorObject(world.console, 'dispute', String(dispute))
    const open = 'This payment is disputed: no refund while the bank decides'
    await expectRefused(payment, {}, { status: 409, code: 'conflict', detail: open })
    await world.sandbox.control.scenario('dispute_lost', { dispute })
    await mirrorObject(world.console, 'dispute', String(dispute))
    const lost = 'Lost in a dispute: nothing left to refund'
    await expectRefused(payment, { amount: 1 }, { status: 409, code: 'conflict', detail: lost })
  })

  test('needs the permission to write', async () => {
    const { payment } = await makePayment(world)
    const answer = await person(world.console, 'Eve', ['billing.read']).refund(payment)
    expect(answer.json()).toMatchObject({ status: 403, code: 'forbidden', permission: 'billing.write' })
    expect(sentAbout(world, payment)).toEqual([])
  })

  test('is not possible without a provider', async () => {
    const { payment } = await makePayment(world)
    const unconnected = await world.openProcess({ stripe: null })
    const answer = await person(unconnected, 'Ada').refund(payment)
    expect(answer.json()).toMatchObject({ status: 503, code: 'not_connected' })
    expect(await actionsOf(world, payment)).toEqual([])
  })

  test('keeps the refusal of the provider, in its words', async () => {
    const { payment } = await makePayment(world)
    world.sandbox.faults.next('stripe', 'refunds.create', { status: 400, message: 'Insufficient balance.', kept: true })
    const answer = await world.ada.refund(payment, {}, 'refusal-1')
    const expected = { status: 422, code: 'provider_invalid', detail: 'Stripe refused this: Insufficient balance.' }
    expect(answer.json()).toMatchObject(expected)
    expect((await world.ada.refund(payment, {}, 'refusal-1')).json()).toMatchObject(expected)
    expect(sentAbout(world, payment)).toHaveLength(1)
    expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 0 })
    expect(await auditOf(world, payment)).toEqual([
      'Ada payment.refund requested done',
      'Ada payment.refund failed failed',
    ])
    // Nothing is claimed any more: a new try goes through.
    expect((await world.ada.refund(payment, {}, 'refusal-2')).statusCode).toBe(200)
  })

  test('learns from a refusal what the mirror did not know', async () => {
    const { payment } = await makePayment(world)
    await world.sandbox.control.scenario('refund_created', { payment_intent: payment, amount: 6000 })
    const answer = await world.ada.refund(payment, { amount: 10_000 })
    expect(answer.json()).toMatchObject({
      code: 'provider_invalid',
      detail: 'Stripe refused this: Refund amount ($100.00) is greater than unrefunded amount on charge ($40.00)',
    })
    expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 6000 })
    expect((await world.ada.refund(payment)).json()).toMatchObject({ refund: { amount: 4000 } })
  })

  test('counts a refused key as nothing done', async () => {
    const { payment } = await makePayment(world)
    world.sandbox.faults.next('stripe', 'refunds.create', 401)
    const answer = await world.ada.refund(payment)
    expect(answer.json()).toMatchObject({ status: 502, code: 'provider_auth' })
    expect(await actionsOf(world, payment)).toMatchObject([{ state: 'failed' }])
  })
})

describe('a second try that is refused', () => {
  test.each([400, 401, 404])('proves nothing of the first, whose answer was lost (%s)', async (status) => {
    const { payment } = await makePayment(world)
    const call = { path: '/v1/refunds', method: 'POST' }
    world.sandbox.faults.next('stripe', call, { connection: 'lost' })
    world.sandbox.faults.next('stripe', call, { status, message: 'Not today.' })
    const key = `second-${status}`
    expect((await world.ada.refund(payment, {}, key)).json()).toMatchObject({ code: 'outcome_unknown' })
    expect(await actionOf(world, key)).toMatchObject({ state: 'unknown' })
    expect((await world.bob.refund(payment)).json()).toMatchObject({ code: 'conflict' })
    world.console.clock.advance(6000)
    await resolve(world.console)
    expect(await actionOf(world, key)).toMatchObject({ state: 'done' })
    expect(await refundsOf(world, payment)).toHaveLength(1)
  })
})
