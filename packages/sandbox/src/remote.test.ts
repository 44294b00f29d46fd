import { expect, test } from 'vitest'
import { day, refusal, useSandbox } from '../test/sandbox.ts'
import { remoteControl } from './index.ts'

const world = useSandbox({ size: { customers: 4 } })
const remote = () => remoteControl(world.sandbox.stripe)

test('steers the world: what happens, when, and what was asked of it', async () => {
  const { customer } = await remote().scenario('customer_created', { name: 'Remote' })
  expect(await world.stripe.customers.retrieve(String(customer))).toMatchObject({ name: 'Remote' })
  expect((await remote().dump('customer')).map(({ id }) => id)).toContain(customer)
  const before = world.sandbox.control.now()
  await remote().advance(day)
  expect(world.sandbox.control.now() - before).toBeGreaterThanOrEqual(day)
  expect((await remote().requests()).at(-1)).toMatchObject({ name: 'customers.retrieve', status: 200 })
})

test('sets faults and takes them back', async () => {
  await remote().fault('customers.list', { status: 503 }, null)
  expect(await remote().faults()).toMatchObject([{ match: 'customers.list', left: null }])
  expect(await refusal(world.stripe.customers.list())).toMatchObject({ statusCode: 503 })
  await remote().clearFaults()
  expect((await world.stripe.customers.list()).object).toBe('list')
})

test('holds and releases webhooks', async () => {
  await remote().webhooks({ hold: true, drop: 2 })
  expect(world.sandbox.faults.webhooks).toMatchObject({ hold: true, drop: 2 })
  await remote().resetWebhooks()
  expect(world.sandbox.faults.webhooks).toMatchObject({ hold: false, drop: 0 })
  expect(await remote().deliver()).toBe(0)
})

test.each([
  ['an unknown scenario', () => remote().scenario('earthquake'), /no scenario 'earthquake'/],
  ['a scenario without its object', () => remote().scenario('refund_fails'), /'refund' is needed/],
  ['an object that is not there', () => remote().scenario('dispute_won', { dispute: 'dp_none' }), /no dispute dp_none/],
  ['a clock that goes back', () => remote().advance(-1), /only moves ahead/],
  ['a crash of this process', () => remote().crash(), /thread of its own/],
])('refuses %s', async (_name, act, message) => {
  await expect(act()).rejects.toThrow(message)
})
