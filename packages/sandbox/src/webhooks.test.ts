import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clientOf, quiet, useSandbox } from '../test/sandbox.ts'
import { remoteControl, startSandbox } from './index.ts'

const world = useSandbox({ size: { customers: 4 } })

type Received = { body: string; signature: string }
const received: Received[] = []
let answer: (body: string) => number = () => 200
let url = ''
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  received.push({ body, signature: String(request.headers['stripe-signature']) })
  response.writeHead(answer(body)).end()
})

let endpoint: Stripe.WebhookEndpoint
const types = () => received.map(({ body }) => (JSON.parse(body) as Stripe.Event).type)
const deliver = async () => {
  await world.sandbox.deliverDue()
  return received.length
}
const rename = async (name: string) => {
  const [customer] = (await world.stripe.customers.list({ limit: 1 })).data
  await world.stripe.customers.update(customer!.id, { name })
}

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(() => void receiver.close())
beforeEach(async () => {
  answer = () => 200
  received.length = 0
  endpoint = await world.stripe.webhookEndpoints.create({
    url,
    enabled_events: ['*'],
    api_version: '2026-10-28.endive',
    description: 'console',
  })
})
afterEach(async () => {
  world.sandbox.faults.resetWebhooks()
  await world.stripe.webhookEndpoints.del(endpoint.id)
})

test('the secret is told once, and the endpoint can be found, changed and deleted', async () => {
  const { stripe } = world
  expect(endpoint.secret).toMatch(/^whsec_/)
  expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined()
  const changed = await stripe.webhookEndpoints.update(endpoint.id, {
    enabled_events: ['charge.succeeded'],
    disabled: true,
  })
  expect(changed).toMatchObject({
    enabled_events: ['charge.succeeded'],
    status: 'disabled',
    api_version: '2026-10-28.endive',
  })
  await rename('while it is off')
  await deliver()
  expect(received).toEqual([])
})

test('a change is told, signed, with what it was before', async () => {
  await rename('Before')
  await rename('After')
  await expect.poll(deliver).toBe(2)
  const events = received.map(({ body, signature }) =>
    world.stripe.webhooks.constructEvent(body, signature, endpoint.secret!, 300),
  )
  const event = events.find((each) => (each.data.object as Stripe.Customer).name === 'After')!
  expect(event).toMatchObject({
    type: 'customer.updated',
    api_version: '2026-10-28.endive',
    livemode: false,
    pending_webhooks: 1,
    data: { previous_attributes: { name: 'Before' } },
    request: { id: expect.stringMatching(/^req_/), idempotency_key: expect.stringMatching(/^stripe-node-retry-/) },
  })
  await expect.poll(async () => (await world.stripe.events.retrieve(event.id)).pending_webhooks).toBe(0)
})

test('an endpoint hears only what it asked for', async () => {
  await world.stripe.webhookEndpoints.update(endpoint.id, { enabled_events: ['charge.refunded', 'refund.created'] })
  const { payment_intent: id } = await world.sandbox.control.scenario('payment_succeeds')
  await world.stripe.refunds.create({ payment_intent: String(id) })
  await expect.poll(deliver).toBe(2)
  expect(types().sort()).toEqual(['charge.refunded', 'refund.created'])
})

test('a refusal is tried again, and counts as undelivered meanwhile', async () => {
  answer = () => 500
  await rename('Refused')
  await expect.poll(deliver).toBe(1)
  const { id } = JSON.parse(received[0]!.body) as Stripe.Event
  const waiting = await world.stripe.events.list({ delivery_success: false, limit: 100 })
  expect(waiting.data.map((event) => event.id)).toContain(id)
  answer = () => 204
  await expect.poll(deliver).toBe(2)
  expect(received[1]!.body).toBe(received[0]!.body)
})

test('during a roll both secrets sign, later only the new one', async () => {
  const fresh = await world.sandbox.control.rollSecret(endpoint.id, 60_000)
  await rename('Rolling')
  await expect.poll(deliver).toBe(1)
  const { body, signature } = received[0]!
  expect(signature.match(/v1=/g)).toHaveLength(2)
  for (const secret of [fresh, endpoint.secret!]) {
    expect(world.stripe.webhooks.constructEvent(body, signature, secret).type).toBe('customer.updated')
  }
  const last = await world.sandbox.control.rollSecret(endpoint.id, 0)
  await rename('Rolled')
  await expect.poll(deliver).toBe(2)
  expect(world.stripe.webhooks.constructEvent(received[1]!.body, received[1]!.signature, last).type).toBe(
    'customer.updated',
  )
  expect(() =>
    world.stripe.webhooks.constructEvent(received[1]!.body, received[1]!.signature, endpoint.secret!),
  ).toThrow()
})

describe('faults on the way', () => {
  test('dropped ones never arrive, the next does', async () => {
    world.sandbox.faults.webhooks.drop = 1
    await rename('Dropped')
    await deliver()
    await rename('Arrives')
    await expect.poll(deliver).toBe(1)
    expect(received[0]!.body).toContain('Arrives')
  })

  test('duplicates arrive twice with the same id', async () => {
    world.sandbox.faults.webhooks.duplicate = 1
    await rename('Twice')
    await expect.poll(deliver).toBe(2)
    expect(received[0]!.body).toBe(received[1]!.body)
  })

  test('held ones wait until they are released', async () => {
    world.sandbox.faults.webhooks.hold = true
    await rename('Held')
    expect(await deliver()).toBe(0)
    world.sandbox.faults.webhooks.hold = false
    await expect.poll(deliver).toBe(1)
  })

  test('an event can be sent again', async () => {
    await rename('Again')
    await expect.poll(deliver).toBe(1)
    const { id } = JSON.parse(received[0]!.body) as Stripe.Event
    await remoteControl(world.sandbox.stripe).redeliver(id)
    await expect.poll(deliver).toBe(2)
  })
})

test('an end does not wait for a receiver that never answers', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const databaseUrl = await world.postgres.createDatabase()
  const other = await startSandbox({ databaseUrl, ...quiet, size: { customers: 1 } })
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  await clientOf(other).webhookEndpoints.create({ url: silentUrl, enabled_events: ['*'] })
  await other.control.scenario('customer_updated')
  await expect.poll(() => new Promise((resolve) => silent.getConnections((_error, count) => resolve(count)))).toBe(1)
  const started = performance.now()
  await other.stop()
  expect(performance.now() - started).toBeLessThan(4000)
  silent.closeAllConnections()
  silent.close()
})

test('what is older than thirty days is forgotten', async () => {
  const { stripe, sandbox } = world
  await rename('To be forgotten')
  const [event] = (await stripe.events.list({ limit: 1 })).data
  await sandbox.advance(29 * 86_400_000)
  expect((await stripe.events.retrieve(event!.id)).id).toBe(event!.id)
  await sandbox.advance(2 * 86_400_000)
  await expect(stripe.events.retrieve(event!.id)).rejects.toMatchObject({ statusCode: 404 })
})
