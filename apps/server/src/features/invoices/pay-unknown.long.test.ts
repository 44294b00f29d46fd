import { describe, expect, test } from 'vitest'
import { uncertain, useWorld } from '../../../test/lost-answers.ts'
import { actionOf, atProvider, makeCustomer, newKey, saveCard } from '../../../test/provider-world.ts'
import { invoicesOf, makeInvoice, mirrored, resolve, startWorld } from './test/world.ts'

const { world, fail, resolveInTime } = useWorld(startWorld, ({ console }) => resolve(console))

async function succeededOf(customer: string): Promise<number> {
  const all = (await world().sandbox.control.dump('charge')) as { customer?: string; status?: string }[]
  return all.filter((charge) => charge.customer === customer && charge.status === 'succeeded').length
}

async function owing(token?: string) {
  const customer = await makeCustomer(world())
  const card = await saveCard(world(), customer, token)
  const id = await makeInvoice(world(), customer)
  return { customer, id, order: { amount: 4000, payment_method: card } }
}

describe.each(['pay', 'mark-paid'] as const)('%s', (verb) => {
  const isCharge = verb === 'pay'
  const send = ({ id, order }: Awaited<ReturnType<typeof owing>>, key: string) =>
    isCharge ? world().ada.pay(id, order, key) : world().ada.markPaid(id, { amount: order.amount }, key)

  test.each([...uncertain, ['limited', 429] as const])(
    'an answer that is %s ends with one payment or none, as is said',
    async (_name, effect) => {
      const shown = await owing()
      const key = newKey()
      fail('invoices.pay', effect)
      const answer = await send(shown, key)
      world().sandbox.faults.clear()
      if (answer.json().code === 'outcome_unknown') await resolveInTime()
      const [invoice] = await invoicesOf(world(), shown.customer)
      const { state } = await actionOf(world(), key)
      expect(state).toBe(invoice?.status === 'paid' ? 'done' : 'failed')
      expect(await succeededOf(shown.customer)).toBe(isCharge && state === 'done' ? 1 : 0)
      expect(await mirrored(world(), shown.id)).toMatchObject({ status: invoice?.status })
      expect((await send(shown, key)).statusCode === 200).toBe(state === 'done')
    },
  )

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
      world().sandbox.faults.clear()
      await resolveInTime(24)
      expect(await actionOf(world(), key)).toMatchObject({ state })
      expect(await succeededOf(shown.customer)).toBe(isCharge && state === 'done' ? 1 : 0)
    }
  })
})

test('a refusal of the bank whose answer was lost is found out, and nobody is charged', async () => {
  const shown = await owing('pm_card_chargeCustomerFail')
  const key = newKey()
  fail('invoices.pay', { connection: 'lost' })
  fail('invoices.retrieve', 503, 0)
  const answer = await world().ada.pay(shown.id, shown.order, key)
  world().sandbox.faults.clear()
  if (answer.json().code === 'outcome_unknown') await resolveInTime()
  expect(await actionOf(world(), key)).toMatchObject({ state: 'failed' })
  expect(await succeededOf(shown.customer)).toBe(0)
})

test('what somebody else paid meanwhile is not counted as ours', async () => {
  const shown = await owing()
  const key = newKey()
  fail('invoices.pay', { connection: 'destroy' })
  expect((await world().ada.pay(shown.id, shown.order, key)).json()).toMatchObject({ code: 'outcome_unknown' })
  world().sandbox.faults.clear()
  await atProvider(world(), `/invoices/${shown.id}/pay`, { paid_out_of_band: 'true' })
  await resolveInTime()
  expect(await actionOf(world(), key)).toMatchObject({ state: 'failed' })
  expect(await succeededOf(shown.customer)).toBe(0)
  expect(await mirrored(world(), shown.id)).toMatchObject({ status: 'paid' })
})
