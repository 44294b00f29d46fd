import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  actionOf,
  actionsOf,
  makePayment,
  makeSubscription,
  person,
  refundsOf,
  sentAbout,
  startWorld,
  type World,
} from './money-actions/test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.close())

test('answers a repeat with the first answer, also when things have changed since', async () => {
  const { payment } = await makePayment(world)
  const first = await world.ada.refund(payment, { amount: 100, reason: 'duplicate' }, 'repeat-1')
  await world.bob.refund(payment, { amount: 300 })
  const again = await world.ada.refund(payment, { amount: 100, reason: 'duplicate' }, 'repeat-1')
  expect(again.statusCode).toBe(200)
  expect(again.json()).toEqual(first.json())
  expect(await refundsOf(world, payment)).toHaveLength(2)
})

test.each([
  ['another amount', (payment: string, key: string) => world.ada.refund(payment, { amount: 200 }, key)],
  ['no amount', (payment: string, key: string) => world.ada.refund(payment, {}, key)],
  [
    'another reason',
    (payment: string, key: string) => world.ada.refund(payment, { amount: 100, reason: 'duplicate' }, key),
  ],
  ['another payment', (_: string, key: string) => world.ada.refund(elsewhere, { amount: 100 }, key)],
  ['a payment that does not exist', (_: string, key: string) => world.ada.refund('pi_none', { amount: 100 }, key)],
  ['a cancellation', (_: string, key: string) => world.ada.cancel(subscription, undefined, key)],
])('refuses a key that was used, for %s', async (name, call) => {
  const { payment } = await makePayment(world)
  const key = `used-${name}`
  await world.ada.refund(payment, { amount: 100 }, key)
  const count = world.sandbox.requestLog().length
  const answer = await call(payment, key)
  expect(answer.json()).toMatchObject({ status: 409, code: 'idempotency_conflict' })
  expect(world.sandbox.requestLog()).toHaveLength(count)
  expect(await actionOf(world, key)).toMatchObject({ kind: 'refund', target_id: payment, amount: 100, state: 'done' })
})

let elsewhere = ''
let subscription = ''
beforeAll(async () => {
  elsewhere = (await makePayment(world)).payment
  subscription = await makeSubscription(world)
})

test('takes a body without fields for none', async () => {
  const { payment } = await makePayment(world)
  const first = await world.ada.refund(payment, undefined, 'empty-1')
  expect((await world.ada.refund(payment, {}, 'empty-1')).json()).toEqual(first.json())
})

test('makes one refund of a double click', async () => {
  const two = await world.openProcess()
  for (let round = 0; round < 15; round++) {
    const { payment } = await makePayment(world)
    const key = `double-${round}`
    const clicks = [world.ada, person(two, 'Ada')].map((ada) => ada.refund(payment, { amount: 4000 }, key))
    const answers = await Promise.all(clicks)
    const [good, other] = answers.toSorted((a, b) => a.statusCode - b.statusCode)
    expect(good!.statusCode).toBe(200)
    if (other!.statusCode !== 200) expect(other!.json()).toMatchObject({ status: 409, code: 'conflict' })
    else expect(other!.json()).toEqual(good!.json())
    expect(await refundsOf(world, payment)).toMatchObject([{ amount: 4000 }])
    expect(await actionsOf(world, payment)).toMatchObject([{ id: key, state: 'done' }])
  }
})

test('says of a key that is at work that it still runs', async () => {
  const { payment } = await makePayment(world)
  world.sandbox.faults.next('stripe', 'refunds.create', { delayMs: 1200 })
  const first = world.ada.refund(payment, {}, 'slow-1')
  await expect.poll(() => actionsOf(world, payment)).toHaveLength(1)
  const second = await world.ada.refund(payment, {}, 'slow-1')
  const detail = 'This refund of $100.00 is still running. Repeat the call for the outcome.'
  expect(second.json()).toMatchObject({ status: 409, code: 'conflict', detail })
  expect((await first).statusCode).toBe(200)
  expect((await world.ada.refund(payment, {}, 'slow-1')).json()).toEqual((await first).json())
  expect(sentAbout(world, payment)).toHaveLength(1)
})

test.each(['x'.repeat(255), 'Ümläut', 'with spaces and ~tildes~', "'; drop table payments; --"])(
  'takes the key %s',
  async (key) => {
    const { payment } = await makePayment(world)
    const first = await world.ada.refund(payment, {}, key)
    expect(first.statusCode).toBe(200)
    expect((await world.ada.refund(payment, {}, key)).json()).toEqual(first.json())
    const [{ metadata }] = (await refundsOf(world, payment)) as [Awaited<ReturnType<typeof refundsOf>>[0]]
    expect(metadata['action_id']).toBe((await actionsOf(world, payment))[0]!.id)
    expect(sentAbout(world, payment)[0]!.idempotencyKey).toMatch(/^refund-[\x21-\x7e]{1,248}$/)
  },
)

test('refuses an empty key and one that is too long', async () => {
  const { payment } = await makePayment(world)
  for (const key of ['', 'x'.repeat(256)]) {
    const answer = await world.ada.refund(payment, {}, key)
    expect(answer.json()).toMatchObject({ status: 400, parameter: 'Idempotency-Key' })
  }
  expect(sentAbout(world, payment)).toEqual([])
})

test('makes two refunds of two calls without a key', async () => {
  const { payment } = await makePayment(world)
  await world.ada.refund(payment, { amount: 1000 })
  await world.ada.refund(payment, { amount: 1000 })
  expect(await refundsOf(world, payment)).toHaveLength(2)
})
