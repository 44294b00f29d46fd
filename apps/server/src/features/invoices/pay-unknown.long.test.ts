import type { FaultEffect } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { actionOf, atProvider, makeCustomer, newKey, saveCard } from '../../../test/provider-world.ts'
import { invoicesOf, makeInvoice, mirrored, resolve, startWorld, type World } from './test/world.ts'

let world: World
let advanced = 0

beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterEach(() => {
  world.sandbox.faults.clear()
  world.console.clock.advance(-advanced)
  advanced = 0
})
afterAll(() => world?.close())

async function resolveInTime(hours = 0): Promise<void> {
  for (const minutes of [hours * 60, ...Array.from({ length: 8 }, () => 11)]) {
    advanced += minutes * 60_000
    world.console.clock.advance(minutes * 60_000)
    await resolve(world.console)
  }
}

const fail = (call: string, effect: FaultEffect | number, times: number | null = 2) =>
  world.sandbox.faults.next('stripe', call, effect, times)

async function succeededOf(customer: string): Promise<number> {
  const all = (await world.sandbox.control.dump('charge')) as { customer?: string; status?: string }[]
  return all.filter((charge) => charge.customer === customer && charge.status === 'succeeded').length
}

async function owing(token?: string) {
  const customer = await makeCustomer(world)
  const card = await saveCard(world, customer, token)
  const id = await makeInvoice(world, customer)
  return { customer, id, order: { amount: 4000, payment_method: card } }
}

const uncertain: [string, FaultEffect | number][] = [
  ['lost after it was done', { connection: 'lost' }],
  ['lost before it was done', { connection: 'destroy' }],
  ['cut in its middle', { connection: 'cut' }],
  ['a page instead', { malformed: 'html' }],
  ['away', 503],
  ['limited', 429],
]

describe.each(['pay', 'mark-paid'] as const)('%s', (verb) => {
  const isCharge = verb === 'pay'
  const send = ({ id, order }: Awaited<ReturnType<typeof owing>>, key: string) =>
    isCharge ? world.ada.pay(id, order, key) : world.ada.markPaid(id, { amount: order.amount }, key)

  test.each(uncertain)('an answer that is %s ends with one payment or none, as is said', async (_name, effect) => {
    const shown = await owing()
    const key = newKey()
    fail('invoices.pay', effect)
    const answer = await send(shown, key)
    world.sandbox.faults.clear()
    if (answer.json().code === 'outcome_unknown') await resolveInTime()
    const [invoice] = await invoicesOf(world, shown.customer)
    const { state } = await actionOf(world, key)
    expect(state).toBe(invoice?.status === 'paid' ? 'done' : 'failed')
    expect(await succeededOf(shown.customer)).toBe(isCharge && state === 'done' ? 1 : 0)
    expect(await mirrored(world, shown.id)).toMatchObject({ status: invoice?.status })
    expect((await send(shown, key)).statusCode === 200).toBe(state === 'done')
  })

  test('that was done counts as done a day later, and what never arrived does not', async () => {
    for (const [effect, state] of [
      [{ connection: 'lost' }, 'done'],
      [{ connection: 'destroy' }, 'failed'],
    ] as const) {
      const shown = await owing()
      const key = newKey()
      fail('invoices.pay', effect)
      fail('events.list', 503, 4)
      expect((await send(shown, key)).json()).toMatchObject({ code: 'outcome_unknown' })
      world.sandbox.faults.clear()
      await resolveInTime(24)
      expect(await actionOf(world, key)).toMatchObject({ state })
      expect(await succeededOf(shown.customer)).toBe(isCharge && state === 'done' ? 1 : 0)
    }
  })
})

test('a refusal of the bank whose answer was lost is found out, and nobody is charged', async () => {
  const shown = await owing('pm_card_chargeCustomerFail')
  const key = newKey()
  fail('invoices.pay', { connection: 'lost' })
  fail('invoices.retrieve', 503, 0)
  const answer = await world.ada.pay(shown.id, shown.order, key)
  world.sandbox.faults.clear()
  if (answer.json().code === 'outcome_unknown') await resolveInTime()
  expect(await actionOf(world, key)).toMatchObject({ state: 'failed' })
  expect(await succeededOf(shown.customer)).toBe(0)
})

test('what somebody else paid meanwhile is not counted as ours', async () => {
  const shown = await owing()
  const key = newKey()
  fail('invoices.pay', { connection: 'destroy' })
  expect((await world.ada.pay(shown.id, shown.order, key)).json()).toMatchObject({ code: 'outcome_unknown' })
  world.sandbox.faults.clear()
  await atProvider(world, `/invoices/${shown.id}/pay`, { paid_out_of_band: 'true' })
  await resolveInTime()
  expect(await actionOf(world, key)).toMatchObject({ state: 'failed' })
  expect(await succeededOf(shown.customer)).toBe(0)
  expect(await mirrored(world, shown.id)).toMatchObject({ status: 'paid' })
})
