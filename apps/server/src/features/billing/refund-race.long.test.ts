import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStripeGateway } from '../../integrations/stripe/client.ts'
import {
  actionsOf,
  makePayment,
  mirroredPayment,
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

afterAll(() => world?.close())

test('makes one refund of two full ones at once, a hundred times', async () => {
  const two = await world.openProcess()
  const texts = new Set<string>()
  for (let round = 0; round < 100; round++) {
    const { payment } = await makePayment(world)
    // With the amount and without, in one process and in two.
    const body = round % 2 ? { amount: 10_000 } : {}
    const bob = round % 4 < 2 ? world.bob : person(two, 'Bob')
    const answers = await Promise.all([world.ada.refund(payment, body), bob.refund(payment, body)])
    const names = ['Ada', 'Bob']
    const won = answers.findIndex((answer) => answer.statusCode === 200)
    const lost = answers[1 - won]!.json()
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(lost).toMatchObject({ code: 'conflict' })
    expect(lost.detail).toContain(names[won])
    texts.add(lost.detail.replace(names[won], 'NAME'))
    expect(await refundsOf(world, payment)).toMatchObject([{ amount: 10_000 }])
    expect(sentAbout(world, payment)).toHaveLength(1)
    expect(await actionsOf(world, payment)).toMatchObject([{ state: 'done', actor_name: names[won] }])
    expect(await mirroredPayment(world, payment)).toMatchObject({ status: 'refunded', net_amount: 0 })
  }
  const known = [
    'NAME started a refund of $100.00 just now; still running. Wait for the outcome first.',
    'This payment was already refunded in full, last by NAME just now',
  ]
  for (const text of texts) expect(known).toContain(text)
})

test('shows each of sixteen refunds at once, although the payment cannot be read after some of them', async () => {
  const { payment } = await makePayment(world)
  world.sandbox.faults.next('stripe', 'paymentIntents.retrieve', { status: 429, retryAfter: 60 }, 12)
  const keys = Array.from({ length: 16 }, (_, index) => `sixteen-${index}`)
  const answers = await Promise.all(keys.map((key) => world.ada.refund(payment, { amount: 500 }, key)))
  const shown = answers.map((answer) => answer.json().payment.refunded_amount).toSorted((a, b) => a - b)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(keys.map(() => 200))
  expect(answers.some((answer) => answer.json().payment_read === false)).toBe(true)
  expect(shown[0]).toBeGreaterThanOrEqual(500)
  expect(shown.at(-1)).toBe(8000)
  expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 8000, status: 'succeeded' })
  const repeated = await Promise.all(keys.map((key) => world.ada.refund(payment, { amount: 500 }, key)))
  expect(repeated.map((answer) => answer.json())).toEqual(answers.map((answer) => answer.json()))
  world.sandbox.faults.clear()
  world.console.clock.advance(60_000)
  await resolve(world.console)
  expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 8000, net_amount: 2000 })
  expect((await actionsOf(world, payment)).filter(({ copy_stale }) => copy_stale)).toEqual([])
})

test('says that nothing was sent when Stripe cannot be reached at all', async () => {
  const { payment } = await makePayment(world)
  const stripe = createStripeGateway({ secretKey: 'sk_test_1', apiBase: 'http://127.0.0.1:1' })
  const cut = await world.openProcess({ stripe })
  const refused = await person(cut, 'Bob').refund(payment, {}, 'unsent-1')
  expect(refused.json()).toMatchObject({
    code: 'provider_unavailable',
    detail: 'Stripe could not be reached. Nothing was sent; try again.',
  })
  expect(await actionsOf(world, payment)).toMatchObject([{ state: 'failed' }])
  expect((await world.ada.refund(payment, {}, 'unsent-2')).statusCode).toBe(200)
})

test('lets parts that fit pass together, and no more than fit', async () => {
  for (let round = 0; round < 10; round++) {
    const { payment } = await makePayment(world)
    const people = [world.ada, world.bob, world.ada, world.bob]
    const answers = await Promise.all(people.map((who) => who.refund(payment, { amount: 4000 })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2)
    for (const { statusCode, json } of answers) if (statusCode !== 200) expect(json().parameter).toBe('amount')
    expect(await refundsOf(world, payment)).toMatchObject([{ amount: 4000 }, { amount: 4000 }])
    expect(await mirroredPayment(world, payment)).toMatchObject({ amount_refunded: 8000 })
  }
})
