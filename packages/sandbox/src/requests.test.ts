import { describe, expect, test } from 'vitest'
import { clientOf, refusal, useSandbox } from '../test/sandbox.ts'
import { createFaults } from './faults.ts'

const world = useSandbox({ size: { customers: 6 } })
const raw = (path: string, init: RequestInit = {}) =>
  fetch(`${world.sandbox.stripe.baseUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${world.sandbox.stripe.secretKey}`, ...init.headers },
  })
const logOf = (name: string) => world.sandbox.requestLog().filter((entry) => entry.name === name)
const someCharge = async () => {
  const { payment_intent: id } = await world.sandbox.control.scenario('payment_succeeds', { amount: 5000 })
  return (await world.stripe.paymentIntents.retrieve(String(id))).latest_charge as string
}

describe('who may come in', () => {
  test('a wrong key and none are refused with 401', async () => {
    const wrong = clientOf({ stripe: { ...world.sandbox.stripe, secretKey: 'sk_test_wrongwrongwrong1234' } })
    const error = await refusal(wrong.customers.list())
    expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
    expect(error.message).toBe('Invalid API Key provided: sk_test_***************1234')
    const none = await fetch(`${world.sandbox.stripe.baseUrl}/v1/customers`)
    expect(none.status).toBe(401)
    expect(none.headers.get('request-id')).toMatch(/^req_/)
  })

  test('basic authentication carries the key as its user', async () => {
    const basic = Buffer.from(`${world.sandbox.stripe.secretKey}:`).toString('base64')
    expect((await raw('/v1/account', { headers: { authorization: `Basic ${basic}` } })).status).toBe(200)
  })

  test('the control surface wants the key too', async () => {
    expect((await fetch(`${world.sandbox.stripe.baseUrl}/_sandbox/status`)).status).toBe(401)
    expect((await raw('/_sandbox/status')).status).toBe(200)
  })
})

describe('errors', () => {
  test('an object that is not there is a 404 with its kind and id', async () => {
    const error = await refusal(world.stripe.charges.retrieve('ch_nothing'))
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'id' })
    expect(error.message).toBe("No such charge: 'ch_nothing'")
    expect(error.doc_url).toBe('https://stripe.com/docs/error-codes/resource-missing')
  })

  test('an address that is none is a 404', async () => {
    const answer = await raw('/v1/unicorns')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  test('every answer names its request and the version', async () => {
    const account = await world.stripe.accounts.retrieveCurrent()
    expect(account.lastResponse.requestId).toMatch(/^req_/)
    expect(account.lastResponse.apiVersion).toBe('2026-10-28.endive')
    expect(account).toMatchObject({
      default_currency: 'usd',
      settings: { dashboard: { display_name: 'Harbor & Pine' } },
    })
  })
})

describe('idempotency keys', () => {
  test('the same request gets the same answer and happens once', async () => {
    const charge = await someCharge()
    const params = { charge, amount: 700 }
    const first = await world.stripe.refunds.create(params, { idempotencyKey: 'refund-1' })
    const again = await world.stripe.refunds.create(params, { idempotencyKey: 'refund-1' })
    expect(again).toEqual(first)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect((await world.stripe.charges.retrieve(charge)).amount_refunded).toBe(700)
  })

  test('another request under the same key is refused', async () => {
    const charge = await someCharge()
    await world.stripe.refunds.create({ charge, amount: 100 }, { idempotencyKey: 'refund-2' })
    const error = await refusal(world.stripe.refunds.create({ charge, amount: 200 }, { idempotencyKey: 'refund-2' }))
    expect(error).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  })

  test('a refusal by the rules is kept, one of validation is not', async () => {
    const charge = await someCharge()
    const tooMuch = () => world.stripe.refunds.create({ charge, amount: 999_999 }, { idempotencyKey: 'refund-3' })
    await refusal(tooMuch())
    expect((await refusal(tooMuch())).headers?.['idempotent-replayed']).toBe('true')
    const options = { idempotencyKey: 'refund-4' }
    await refusal(world.stripe.refunds.create({ charge, amount: -5 }, options))
    expect((await world.stripe.refunds.create({ charge, amount: 5 }, options)).amount).toBe(5)
  })

  test('twenty at once under one key make one refund', async () => {
    const charge = await someCharge()
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => world.stripe.refunds.create({ charge }, { idempotencyKey: 'refund-5' })),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason.statusCode)
    expect(new Set(refused)).toEqual(new Set([409]))
    expect((await world.stripe.refunds.list({ charge })).data).toHaveLength(1)
  })

  test('twenty at once under twenty keys refund no more than was paid', async () => {
    const charge = await someCharge()
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => world.stripe.refunds.create({ charge, amount: 2000 })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect((await world.stripe.charges.retrieve(charge)).amount_refunded).toBe(4000)
  })
})

describe('faults', () => {
  test('a lost answer: the refund happened, and repeating it gives it back', async () => {
    const charge = await someCharge()
    world.sandbox.faults.next('stripe', 'refunds.create', { connection: 'lost' }, 2)
    const key = { idempotencyKey: 'lost-1' }
    const error = await refusal(world.stripe.refunds.create({ charge, amount: 300 }, key))
    expect(error.type).toBe('StripeConnectionError')
    const refund = await world.stripe.refunds.create({ charge, amount: 300 }, key)
    expect(refund.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect((await world.stripe.refunds.list({ charge })).data.map(({ id }) => id)).toEqual([refund.id])
  })

  test('the SDK repeats a lost answer by itself, with its own key', async () => {
    const charge = await someCharge()
    world.sandbox.faults.next('stripe', 'refunds.create', { connection: 'lost' })
    const refund = await world.stripe.refunds.create({ charge, amount: 300 })
    expect((await world.stripe.refunds.list({ charge })).data.map(({ id }) => id)).toEqual([refund.id])
    const [lost, repeated] = logOf('refunds.create').slice(-2)
    expect(lost).toMatchObject({ status: null })
    expect(repeated).toMatchObject({ status: 200, replayed: true, idempotencyKey: lost!.idempotencyKey })
  })

  test('a destroyed connection: nothing happened', async () => {
    const charge = await someCharge()
    world.sandbox.faults.next('stripe', 'refunds.create', { connection: 'destroy' }, 2)
    await refusal(world.stripe.refunds.create({ charge }))
    expect((await world.stripe.refunds.list({ charge })).data).toEqual([])
  })

  test.each([
    [500, 'StripeAPIError'],
    [503, 'StripeAPIError'],
    [429, 'StripeRateLimitError'],
    [401, 'StripeAuthenticationError'],
    [402, 'StripeCardError'],
    [404, 'StripeInvalidRequestError'],
  ])('status %i arrives as %s, once', async (status, type) => {
    world.sandbox.faults.next('stripe', 'customers.list', status)
    expect(await refusal(world.stripe.customers.list())).toMatchObject({ type, statusCode: status })
    expect((await world.stripe.customers.list({ limit: 1 })).data).toHaveLength(1)
  })

  test('a 500 stays under its idempotency key, a 503 does not', async () => {
    const charge = await someCharge()
    const refund = (idempotencyKey: string) => world.stripe.refunds.create({ charge, amount: 10 }, { idempotencyKey })
    world.sandbox.faults.next('stripe', 'refunds.create', 500)
    expect(await refusal(refund('broken-500'))).toMatchObject({ statusCode: 500 })
    expect(await refusal(refund('broken-500'))).toMatchObject({ statusCode: 500 })
    world.sandbox.faults.next('stripe', 'refunds.create', 503)
    expect(await refusal(refund('broken-503'))).toMatchObject({ statusCode: 503 })
    expect((await refund('broken-503')).amount).toBe(10)
  })

  test('too many requests say when to come back', async () => {
    world.sandbox.faults.next('stripe', { method: 'GET', path: '/v1/prices*' }, { status: 429, retryAfter: 7 })
    const error = await refusal(world.stripe.prices.list())
    expect(error.headers).toMatchObject({ 'retry-after': '7', 'stripe-rate-limited-reason': 'global-rate' })
  })

  test('cut, HTML and broken JSON are errors of the SDK; null data passes through it', async () => {
    const { faults } = world.sandbox
    faults.next('stripe', 'invoices.list', { connection: 'cut' }, 2)
    expect((await refusal(world.stripe.invoices.list())).type).toBe('StripeConnectionError')
    faults.clear()
    faults.next('stripe', 'invoices.list', { malformed: 'html' })
    expect((await refusal(world.stripe.invoices.list())).type).toBe('StripeAPIError')
    faults.next('stripe', 'invoices.list', { malformed: 'json' })
    expect((await refusal(world.stripe.invoices.list())).message).toContain('Invalid JSON')
    faults.next('stripe', 'invoices.list', { malformed: 'null_data' })
    expect((await world.stripe.invoices.list()).data).toBeNull()
  })

  test('a slow answer runs into the client’s timeout', async () => {
    world.sandbox.faults.next('stripe', 'customers.list', { delayMs: 400 }, null)
    const hasty = clientOf(world.sandbox, { timeout: 60 })
    expect((await refusal(hasty.customers.list())).message).toContain('timeout')
    world.sandbox.faults.clear()
    expect((await world.stripe.customers.list()).data.length).toBeGreaterThan(0)
  })

  test('faults match names, patterns and paths, count down, and can be taken back', () => {
    const faults = createFaults()
    const list = { name: 'customers.list', method: 'GET', path: '/v1/customers' }
    faults.next('stripe', 'customers.*', 500, 2)
    expect(faults.take({ ...list, name: 'charges.list', path: '/v1/charges' })).toBeUndefined()
    expect([faults.take(list), faults.take(list), faults.take(list)].map((fault) => fault?.effect.status)).toEqual([
      500,
      500,
      undefined,
    ])
    const id = faults.next('stripe', { path: '/v1/customers/*' }, 404, null)
    expect(faults.take({ name: null, method: 'POST', path: '/v1/customers/cus_1' })).toBeDefined()
    faults.clear(id)
    expect(faults.list()).toEqual([])
  })

  test('an outage refuses connections, then passes', async () => {
    await raw('/_sandbox/outage', { method: 'POST', body: JSON.stringify({ ms: 300 }) })
    await new Promise((resolve) => setTimeout(resolve, 80))
    await expect(raw('/v1/account')).rejects.toThrow()
    await expect
      .poll(() =>
        raw('/v1/account').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  })
})

test('the log tells method, path, parameters, key, status and time of every request', async () => {
  await world.stripe.customers.update((await world.stripe.customers.list({ limit: 1 })).data[0]!.id, { name: 'Logged' })
  expect(logOf('customers.update').at(-1)).toMatchObject({
    method: 'POST',
    path: expect.stringMatching(/^\/v1\/customers\/cus_/),
    params: { name: 'Logged' },
    idempotencyKey: expect.stringMatching(/^stripe-node-retry-/),
    status: 200,
    replayed: false,
  })
})
