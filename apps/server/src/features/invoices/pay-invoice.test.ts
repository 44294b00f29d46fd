import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  actionsOf,
  atProvider,
  auditOf,
  logLength,
  makeCustomer,
  newKey,
  saveCard,
  sentSince,
} from '../../../test/provider-world.ts'
import { invoicesOf, makeInvoice, mirrored, person, startWorld, type World } from './test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.close())

type Charge = { customer: string; status: string; amount: number; payment_method: string }

async function chargesOf(customer: string): Promise<Charge[]> {
  const all = (await world.sandbox.control.dump('charge')) as unknown as Charge[]
  return all.filter((charge) => charge.customer === customer)
}

const payerOf = async (id: string) => (await world.ada.get(`/invoices/${id}/payer`)).json().method

async function owing(token: string | null = 'pm_card_visa') {
  const customer = await makeCustomer(world)
  const card = token === null ? 'pm_none' : await saveCard(world, customer, token)
  const id = await makeInvoice(world, customer)
  return { customer, id, order: { amount: 4000, payment_method: card } }
}

describe('charging now', () => {
  test('shows the card first, charges exactly that, and answers a repeat with the same', async () => {
    const { customer, id, order } = await owing()
    expect(await payerOf(id)).toMatchObject({
      ...{ id: order.payment_method, type: 'card', brand: 'visa', last4: '4242', exp_month: 12 },
    })
    const key = newKey()
    const [first, second] = await Promise.all([world.ada.pay(id, order, key), world.ada.pay(id, order, key)])
    const done = [first, second].find(({ statusCode }) => statusCode === 200)
    expect(done?.json()).toMatchObject({ success: true, invoice: { id, status: 'paid', amount_remaining: 0 } })
    expect((await world.ada.pay(id, order, key)).json()).toEqual(done?.json())
    expect(await chargesOf(customer)).toMatchObject([
      { status: 'succeeded', amount: 4000, payment_method: order.payment_method },
    ])
    expect(await mirrored(world, id)).toMatchObject({ status: 'paid' })
    expect(await auditOf(world, id)).toEqual(['Ada invoice.pay requested done', 'Ada invoice.pay done done'])
  })

  test.each([
    ['pm_card_chargeCustomerFail', "The customer's card was declined by the bank. Nothing was charged."],
    [
      'pm_card_visa_chargeDeclinedInsufficientFunds',
      "The customer's card has insufficient funds. Nothing was charged.",
    ],
    ['pm_card_chargeDeclinedExpiredCard', "The customer's card has expired. Nothing was charged."],
    [
      'pm_card_authenticationRequired',
      'The bank wants the customer to confirm this payment. Nothing was charged: send the payment link.',
    ],
  ])('says what the bank said: %s', async (token, detail) => {
    const { customer, id, order } = await owing(token)
    const answer = await world.ada.pay(id, order, newKey())
    expect(answer.json()).toMatchObject({ status: 422, code: 'provider_invalid', detail })
    expect((await chargesOf(customer)).filter(({ status }) => status === 'succeeded')).toEqual([])
    expect(await mirrored(world, id)).toMatchObject({ status: 'open', attempt_count: 1 })
    expect(await auditOf(world, id)).toEqual(['Ada invoice.pay requested done', 'Ada invoice.pay failed failed'])
    const working = await saveCard(world, customer)
    expect((await world.ada.pay(id, { ...order, payment_method: working }, newKey())).json()).toMatchObject({
      invoice: { status: 'paid' },
    })
  })

  test('charges nothing when the amount or the invoice is another than was shown', async () => {
    const shown = await owing()
    const other = await world.ada.pay(shown.id, { ...shown.order, amount: 3999 }, newKey())
    const detail = 'The invoice is now $40.00: check again. Nothing was charged.'
    expect(other.json()).toMatchObject({ status: 409, detail })
    expect(await actionsOf(world, shown.id)).toEqual([])
    await atProvider(world, `/invoices/${shown.id}/pay`, { paid_out_of_band: 'true' })
    expect((await world.ada.pay(shown.id, shown.order, newKey())).json()).toMatchObject({
      ...{ status: 409, detail: 'Already paid. Nothing was charged.' },
    })
    expect(await chargesOf(shown.customer)).toEqual([])
    expect(await mirrored(world, shown.id)).toMatchObject({ status: 'paid' })
  })

  test('of a customer without a saved card is known before, and refused', async () => {
    const { customer, id, order } = await owing(null)
    expect(await payerOf(id)).toBeNull()
    expect((await world.ada.pay(id, order, newKey())).json()).toMatchObject({ status: 422 })
    expect(await chargesOf(customer)).toEqual([])
  })
})

describe('marking as paid', () => {
  test('records it at the provider without charging anybody, and only for what was shown', async () => {
    const { customer, id } = await owing()
    expect((await world.ada.markPaid(id, { amount: 1 }, newKey())).json()).toMatchObject({
      ...{ status: 409, detail: 'The invoice is now $40.00: check again. Nothing was changed.' },
    })
    const answer = await world.ada.markPaid(id, { amount: 4000 }, newKey())
    expect(answer.json()).toMatchObject({ success: true, invoice: { id, status: 'paid' } })
    expect(await chargesOf(customer)).toEqual([])
    expect(await invoicesOf(world, customer)).toMatchObject([{ status: 'paid', amount_paid_off_stripe: 4000 }])
    expect(await auditOf(world, id)).toEqual([
      'Ada invoice.mark_paid requested done',
      'Ada invoice.mark_paid done done',
    ])
  })

  test('of one that was written off is possible', async () => {
    const { id } = await owing()
    await world.ada.act(id, 'mark-uncollectible', newKey())
    expect((await world.ada.markPaid(id, { amount: 4000 }, newKey())).json()).toMatchObject({
      invoice: { status: 'paid' },
    })
  })
})

describe('what cannot be paid', () => {
  test.each([
    ['draft', 'Still a draft'],
    ['paid', 'Already paid'],
  ] as const)('is one that is %s', async (state, refusal) => {
    const id = await makeInvoice(world, await makeCustomer(world), state)
    const from = logLength(world)
    const [charged, marked] = [
      await world.ada.pay(id, { amount: 4000, payment_method: 'pm_none' }, newKey()),
      await world.ada.markPaid(id, { amount: 4000 }, newKey()),
    ]
    expect(charged.json()).toMatchObject({ status: 409, detail: `${refusal}. Nothing was charged.` })
    expect(marked.json()).toMatchObject({ status: 409, detail: `${refusal}. Nothing was changed.` })
    expect(sentSince(world, from)).toEqual([])
  })

  test('needs billing.write, an amount, and an invoice', async () => {
    const { id, order } = await owing()
    const from = logLength(world)
    const rita = person(world.console, 'Rita', ['billing.read'])
    expect((await rita.pay(id, order)).json()).toMatchObject({ status: 403, permission: 'billing.write' })
    expect((await rita.markPaid(id, order)).json()).toMatchObject({ status: 403, permission: 'billing.write' })
    expect((await world.ada.pay(id, { amount: 4000 })).json()).toMatchObject({ status: 400 })
    expect((await world.ada.markPaid(id, {})).json()).toMatchObject({ status: 400 })
    expect((await world.ada.pay('in_none', order)).json()).toMatchObject({ status: 404 })
    expect((await world.ada.get('/invoices/in_none/payer')).json()).toMatchObject({ status: 404 })
    expect(sentSince(world, from)).toEqual([])
  })
})
