import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  actionsOf,
  makePayment,
  mirroredPayment,
  person,
  refundsOf,
  sentAbout,
  startWorld,
  type World,
} from './money-actions/test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
}, 60_000)

afterAll(() => world?.close())

test('makes one refund of two full ones at once, a hundred times', { timeout: 120_000 }, async () => {
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
    'NAME started a refund of $100.00 just now, and it is not finished yet. What is left of this payment is known after that.',
    'This payment was refunded in full already, last by NAME just now',
  ]
  for (const text of texts) expect(known).toContain(text)
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
