import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createStripeGateway } from './client.ts'
import { ProviderError } from './errors.ts'
import type { StripeGateway } from './gateway.ts'

type Answer = (request: IncomingMessage, reply: ServerResponse, body: string) => void

let server: Server
let base: string
let answer: Answer
let requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => {
  return (_request, reply) => reply.writeHead(status, { 'request-id': 'req_1', ...headers }).end(JSON.stringify(value))
}
const failure = (status: number, error: Record<string, unknown> = {}, headers: Record<string, string> = {}): Answer =>
  json(status, { error: { type: 'invalid_request_error', message: 'Told so', ...error } }, headers)
const listOf = (data: unknown, more: Record<string, unknown> = {}) =>
  json(200, { object: 'list', data, has_more: false, url: '/v1/x', ...more })

let gateway: StripeGateway

beforeAll(async () => {
  server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      requests.push({
        method: request.method ?? '',
        url: decodeURIComponent(request.url ?? ''),
        headers: request.headers,
        body,
      })
      answer(request, reply, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  gateway = createStripeGateway({ secretKey: 'sk_test_1', apiBase: base, timeoutMs: 300 })
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
afterEach(() => {
  requests = []
})

const job = () => gateway.in('job')
const failureOf = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => Promise.reject(new Error('It was expected to fail')),
    (error: unknown) => (error instanceof ProviderError ? error : Promise.reject(error)),
  )

describe('a failure', () => {
  test.each<[string, Answer, string, string, number]>([
    ['no key', failure(401, { message: 'Invalid API Key' }), 'auth', 'provider_auth', 502],
    ['no right', failure(403), 'auth', 'provider_auth', 502],
    [
      'too many',
      failure(429, { code: 'rate_limit' }, { 'retry-after': '7' }),
      'rate_limit',
      'provider_rate_limit',
      503,
    ],
    ['a bad request', failure(400, { code: 'amount_too_large' }), 'invalid', 'provider_invalid', 422],
    ['a declined card', failure(402, { type: 'card_error' }), 'invalid', 'provider_invalid', 422],
    ['a missing thing', failure(404, { code: 'resource_missing' }), 'not_found', 'not_found', 404],
    ['a missing thing in a list', failure(400, { code: 'resource_missing' }), 'not_found', 'not_found', 404],
    ['a call that still runs', failure(409, { code: 'lock_timeout' }), 'conflict', 'conflict', 409],
    ['another body under the same key', failure(400, { type: 'idempotency_error' }), 'conflict', 'conflict', 409],
    ['a failure of its own', failure(500, { type: 'api_error' }), 'unavailable', 'provider_unavailable', 503],
    ['maintenance', failure(503, { type: 'api_error' }), 'unavailable', 'provider_unavailable', 503],
    ['a page of HTML', (_request, reply) => reply.end('<html>hello</html>'), 'bad_answer', 'provider_bad_answer', 502],
    [
      'an HTML page with 502',
      (_request, reply) => reply.writeHead(502).end('<html>'),
      'unavailable',
      'provider_unavailable',
      503,
    ],
    ['null', json(200, null), 'bad_answer', 'provider_bad_answer', 502],
    [
      'a redirect',
      (_request, reply) => reply.writeHead(302, { location: '/' }).end(),
      'bad_answer',
      'provider_bad_answer',
      502,
    ],
    ['silence', () => {}, 'unavailable', 'provider_unavailable', 503],
    ['a closed line', (request) => request.socket.destroy(), 'unavailable', 'provider_unavailable', 503],
    [
      'half an answer',
      (_request, reply) => {
        reply.writeHead(200, { 'content-length': '500' }).write('{"object":')
        setTimeout(() => reply.destroy(), 20)
      },
      'unavailable',
      'provider_unavailable',
      503,
    ],
  ])('%s', async (_, given, kind, code, status) => {
    answer = given
    const error = await failureOf(job().listObjects('customer'))
    expect(error).toMatchObject({ provider: 'stripe', kind, code, status })
    expect(error.message).toContain('Stripe')
  })

  test('tells when to come back, and which request it was', async () => {
    answer = failure(429, {}, { 'retry-after': '7' })
    expect(await failureOf(job().ping())).toMatchObject({ retryAfter: 7, requestId: 'req_1', providerStatus: 429 })
    answer = failure(429, {}, { 'retry-after': '100000' })
    expect((await failureOf(job().ping())).retryAfter).toBe(300)
    answer = failure(400, { code: 'charge_already_refunded' })
    expect(await failureOf(job().ping())).toMatchObject({ providerCode: 'charge_already_refunded' })
  })

  test.each<[string, Answer]>([
    ['silence', () => {}],
    [
      'an answer that does not end',
      (_request, reply) => {
        reply.writeHead(200)
        const drip = setInterval(() => reply.write(' '), 20)
        reply.on('close', () => clearInterval(drip))
      },
    ],
    ['a limit that goes on', failure(429)],
  ])('is given up within the time of the call, however often it is tried: %s', async (_, given) => {
    answer = given
    const hasty = createStripeGateway({ secretKey: 'sk_test_1', apiBase: base, timeoutMs: 60_000, callMs: 400 })
    expect(['unavailable', 'rate_limit']).toContain((await failureOf(hasty.ping())).kind)
  })

  test('tells whether it can have been carried out', async () => {
    answer = failure(429, {}, { 'retry-after': '60' })
    expect(await failureOf(gateway.ping())).toMatchObject({ mayHaveRun: false })
    answer = failure(503)
    expect(await failureOf(gateway.ping())).toMatchObject({ mayHaveRun: true })
    answer = (request) => request.socket.destroy()
    expect(await failureOf(gateway.ping())).toMatchObject({ mayHaveRun: true })
    let tries = 0
    answer = (request, reply, body) => {
      tries += 1
      if (tries === 1) request.socket.destroy()
      else failure(429, {}, { 'retry-after': '60' })(request, reply, body)
    }
    expect(await failureOf(gateway.ping())).toMatchObject({ kind: 'rate_limit', mayHaveRun: true })
    const nobody = createStripeGateway({ secretKey: 'sk_test_1', apiBase: 'http://nobody.invalid' })
    expect(await failureOf(nobody.ping())).toMatchObject({ kind: 'unavailable', mayHaveRun: false })
    const closed = createStripeGateway({ secretKey: 'sk_test_1', apiBase: 'http://127.0.0.1:1' })
    expect(await failureOf(closed.ping())).toMatchObject({ kind: 'unavailable', mayHaveRun: false })
  })

  test('is tried again once where somebody waits, and not in jobs', async () => {
    answer = failure(500, { type: 'api_error' })
    await failureOf(gateway.ping())
    expect(requests).toHaveLength(2)
    requests = []
    await failureOf(job().ping())
    expect(requests).toHaveLength(1)
  })
})

describe('an answer', () => {
  test.each<[string, Answer]>([
    ['of another kind', listOf([{ id: 'cus_1', object: 'charge' }])],
    ['without an id', listOf([{ object: 'customer' }])],
    ['whose data is null', listOf(null)],
    ['whose data is an object', listOf({})],
    ['that is one object', json(200, { id: 'cus_1', object: 'customer' })],
    ['that has more but nothing', listOf([], { has_more: true })],
    ['that leads back to where it started', listOf([{ id: 'cus_1', object: 'customer' }], { has_more: true })],
  ])('%s is no list of customers', async (_, given) => {
    answer = given
    const error = await failureOf(job().listObjects('customer', { startingAfter: 'cus_1' }))
    expect(error.kind).toBe('bad_answer')
  })

  test.each<[string, unknown]>([
    ['another kind', { id: 'pi_1', object: 'charge' }],
    ['a list', []],
    ['a number', 7],
    ['a text', 'ok'],
    ['true', true],
    ['an empty object', {}],
  ])('that is %s is no payment', async (_, value) => {
    answer = json(200, value)
    expect((await failureOf(job().findObject('payment', 'pi_1'))).kind).toBe('bad_answer')
  })

  test('that an object is deleted, or was never there, is null', async () => {
    answer = json(200, { id: 'cus_1', object: 'customer', deleted: true })
    expect(await job().findObject('customer', 'cus_1')).toBeNull()
    answer = failure(404, { code: 'resource_missing' })
    expect(await job().findObject('customer', 'cus_1')).toBeNull()
  })
})

describe('a call', () => {
  test('asks for what the rows need, at most four levels deep', async () => {
    answer = listOf([])
    await job().listObjects('subscription', { startingAfter: 'sub_1' })
    await job().listObjects('payment', { createdFrom: new Date(5000), limit: 7 })
    await job().listObjects('refund', { payment: 'pi_1' })
    await job().listObjects('refund', { payment: 'ch_1' })
    await job().listObjects('invoice', { status: 'open' })
    await job()
      .listDiscounts('sub_1')
      .catch(() => {})
    expect(requests.map((request) => request.url)).toEqual([
      '/v1/subscriptions?status=all&limit=100&starting_after=sub_1&expand[]=data.discounts.source.coupon&expand[]=data.items.data.discounts',
      '/v1/payment_intents?limit=7&created[gte]=5&expand[]=data.latest_charge',
      '/v1/refunds?limit=100&payment_intent=pi_1',
      '/v1/refunds?limit=100&charge=ch_1',
      '/v1/invoices?limit=100&status=open',
      '/v1/subscriptions/sub_1?expand[]=discounts.source.coupon.applies_to',
    ])
    for (const { url } of requests) {
      for (const [, path = ''] of url.matchAll(/expand\[\]=([^&]+)/g))
        expect(path.split('.').length).toBeLessThanOrEqual(4)
    }
  })

  test('carries the key, our version and no telemetry', async () => {
    answer = listOf([])
    await job().ping()
    await job().ping()
    const { headers } = requests[1]!
    expect(headers.authorization).toBe('Bearer sk_test_1')
    expect(headers['stripe-version']).toBe('2026-10-28.endive')
    expect(headers['x-stripe-client-telemetry']).toBeUndefined()
  })

  test('for a subscription with more items than it embeds asks for the rest', async () => {
    const item = (id: string) => ({ id, object: 'subscription_item' })
    answer = (request, reply) => {
      const url = decodeURIComponent(request.url ?? '')
      if (url.startsWith('/v1/subscription_items')) {
        const isFirst = !url.includes('starting_after')
        const data = isFirst ? [item('si_1'), item('si_2')] : [item('si_3')]
        return listOf(data, { has_more: isFirst })(request, reply, '')
      }
      const items = { object: 'list', data: [item('si_1')], has_more: true }
      return json(200, { id: 'sub_1', object: 'subscription', items })(request, reply, '')
    }
    const found = await job().findObject('subscription', 'sub_1')
    expect(found?.['items']).toMatchObject({ has_more: false, data: [{ id: 'si_1' }, { id: 'si_2' }, { id: 'si_3' }] })
  })

  test('for a payment without an intent asks for its charge', async () => {
    answer = json(200, { id: 'ch_1', object: 'charge' })
    await job().findObject('payment', 'ch_1')
    expect(requests[0]?.url).toBe('/v1/charges/ch_1')
  })

  test('that moves money carries its idempotency key and says whose request it was', async () => {
    answer = json(200, { id: 're_1', object: 'refund' })
    const refund = await gateway.refund({
      paymentId: 'pi_1',
      amount: 500,
      reason: 'duplicate',
      metadata: { action_id: 'a1' },
      idempotencyKey: 'refund-a1',
    })
    expect(refund).toMatchObject({ object: { id: 're_1' }, requestId: 'req_1' })
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/refunds' })
    expect(requests[0]?.headers['idempotency-key']).toBe('refund-a1')
    expect(Object.fromEntries(new URLSearchParams(requests[0]?.body))).toEqual({
      payment_intent: 'pi_1',
      amount: '500',
      reason: 'duplicate',
      'metadata[action_id]': 'a1',
    })
    await gateway.refund({ paymentId: 'ch_1', metadata: {}, idempotencyKey: 'refund-a2' })
    expect(requests[1]?.body).toBe('charge=ch_1')
  })

  test('that cancels does it now, or says when', async () => {
    answer = json(200, { id: 'sub_1', object: 'subscription' })
    await gateway.cancelSubscription('sub_1', { at: 'now', idempotencyKey: 'cancel-1' })
    await gateway.cancelSubscription('sub_1', { at: 'period_end', idempotencyKey: 'cancel-2' })
    expect(requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      'DELETE /v1/subscriptions/sub_1',
      'POST /v1/subscriptions/sub_1',
    ])
    expect(requests[1]?.body).toContain('cancel_at_period_end=true')
    expect(requests[1]?.headers['idempotency-key']).toBe('cancel-2')
  })

  test('that writes a customer leaves out what is not set, and empties what is unset', async () => {
    answer = json(200, { id: 'cus_1', object: 'customer' })
    const address = { line1: '1 Main St', line2: null, city: null, state: null, postal_code: null, country: 'US' }
    await gateway.createCustomer({ name: 'Ada', email: null, address, metadata: { a: 'b' } }, 'customer-1')
    await gateway.updateCustomer('cus_1', { email: null, address, metadata: { a: null } }, 'customer-2')
    await gateway.updateCustomer('cus_1', { address: null }, 'customer-3')
    expect(requests.map(({ method, url, headers }) => [method, url, headers['idempotency-key']])).toEqual([
      ['POST', '/v1/customers', 'customer-1'],
      ['POST', '/v1/customers/cus_1', 'customer-2'],
      ['POST', '/v1/customers/cus_1', 'customer-3'],
    ])
    const sent = requests.map(({ body }) => {
      const { 'expand[0]': expanded, ...rest } = Object.fromEntries(new URLSearchParams(body))
      expect(expanded).toBe('discount.source.coupon')
      return rest
    })
    expect(sent).toEqual([
      { name: 'Ada', 'address[line1]': '1 Main St', 'address[country]': 'US', 'metadata[a]': 'b' },
      {
        email: '',
        'metadata[a]': '',
        'address[line1]': '1 Main St',
        'address[line2]': '',
        'address[city]': '',
        'address[state]': '',
        'address[postal_code]': '',
        'address[country]': 'US',
      },
      { address: '' },
    ])
  })

  test('of an import keeps its pace', async () => {
    const paced = createStripeGateway({ secretKey: 'sk_test_1', apiBase: base, bulkPerSecond: 20 }).in('bulk')
    answer = listOf([])
    const started = performance.now()
    await Promise.all([paced.ping(), paced.ping(), paced.ping(), paced.ping()])
    expect(performance.now() - started).toBeGreaterThanOrEqual(145)
  })
})

test.each([
  ['sk_live_1', 'http://payments.example', true],
  ['rk_live_1', 'http://10.0.0.1:8080', true],
  ['sk_live_1', 'http://127.0.0.1:8080', false],
  ['sk_live_1', 'https://payments.example', false],
  ['sk_test_1', 'http://payments.example', false],
])('the key %s at %s is refused: %s', (secretKey, apiBase, isRefused) => {
  const open = () => createStripeGateway({ secretKey, apiBase })
  if (isRefused) expect(open).toThrow('STRIPE_API_BASE must start with https://')
  else expect(open().livemode).toBe(secretKey.includes('_live_'))
})
