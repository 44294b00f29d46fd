import { describe, expect, test } from 'vitest'
import { all, helpersOf, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 4 } })
const { newCustomer, lastEvent, eventsSince } = helpersOf(world)

const credit = { amount: -2500, currency: 'usd' }

describe('the balance of a customer', () => {
  test('a credit has the shape of Stripe, and lowers the balance', async () => {
    const customer = await newCustomer()
    const before = await lastEvent()
    const made = await world.stripe.customers.createBalanceTransaction(customer, {
      ...credit,
      description: 'SLA credit for incident 7',
      metadata: { action_id: 'a1' },
    })
    const { lastResponse: _, ...body } = made
    expect(body).toEqual({
      id: expect.stringMatching(/^cbtxn_/),
      object: 'customer_balance_transaction',
      amount: -2500,
      checkout_session: null,
      created: expect.any(Number),
      credit_note: null,
      currency: 'usd',
      customer,
      customer_account: null,
      description: 'SLA credit for incident 7',
      ending_balance: -2500,
      invoice: null,
      livemode: false,
      metadata: { action_id: 'a1' },
      type: 'adjustment',
    })
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ balance: -2500, currency: 'usd' })
    expect(await eventsSince(before)).toEqual(['customer.updated'])
  })

  test('what moved it is listed newest first, for this customer alone', async () => {
    const [customer, other] = [await newCustomer(), await newCustomer()]
    const give = (to: string, amount: number) =>
      world.stripe.customers.createBalanceTransaction(to, { ...credit, amount })
    const first = await give(customer, -100)
    const second = await give(customer, -200)
    await give(other, -300)
    expect(second.ending_balance).toBe(-300)
    const listed = await all(world.stripe.customers.listBalanceTransactions(customer, { limit: 1 }))
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await world.stripe.customers.retrieveBalanceTransaction(customer, first.id)).toMatchObject({ amount: -100 })
    const foreign = await refusal(world.stripe.customers.retrieveBalanceTransaction(other, first.id))
    expect(foreign).toMatchObject({ statusCode: 404, code: 'resource_missing' })
  })

  test('the same key gives it once', async () => {
    const customer = await newCustomer()
    const give = () =>
      world.stripe.customers.createBalanceTransaction(customer, credit, { idempotencyKey: `credit-${customer}` })
    expect((await give()).id).toBe((await give()).id)
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ balance: -2500 })
  })

  test('pays the next invoice first', async () => {
    const customer = await newCustomer()
    await world.stripe.customers.createBalanceTransaction(customer, credit)
    await world.stripe.invoiceItems.create({ customer, amount: 4000, currency: 'usd' })
    const draft = await world.stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
    const open = await world.stripe.invoices.finalizeInvoice(draft.id!)
    expect(open).toMatchObject({ total: 4000, starting_balance: -2500, amount_due: 1500, ending_balance: 0 })
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 })
  })

  test('refuses what Stripe refuses, and changes nothing', async () => {
    const customer = await newCustomer()
    await world.stripe.customers.createBalanceTransaction(customer, credit)
    const refused = (more: object) =>
      refusal(world.stripe.customers.createBalanceTransaction(customer, { ...credit, ...more }))
    expect(await refused({ invoice: 'in_1' })).toMatchObject({
      ...{ statusCode: 400, code: 'parameter_unknown', param: 'invoice' },
      message: 'Received unknown parameter: invoice',
    })
    expect(await refused({ amount: 0 })).toMatchObject({ statusCode: 400, param: 'amount' })
    expect(await refused({ amount: undefined })).toMatchObject({ code: 'parameter_missing', param: 'amount' })
    expect(await refused({ currency: 'eur' })).toMatchObject({ statusCode: 400, param: 'currency' })
    const nobody = world.stripe.customers.createBalanceTransaction('cus_nothing', credit)
    expect(await refusal(nobody)).toMatchObject({ statusCode: 404, code: 'resource_missing' })
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ balance: -2500 })
  })
})

describe('the balance of the account', () => {
  test('lists what charges, refunds and disputes moved it by, newest first, page by page', async () => {
    const listed = await all(world.stripe.balanceTransactions.list({ limit: 7 }))
    expect(listed.length).toBeGreaterThan(7)
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
    const created = listed.map((transaction) => transaction.created)
    expect(created).toEqual([...created].sort((a, b) => b - a))
    for (const { amount, fee, net } of listed) expect(net).toBe(amount - fee)
    const charges = await all(world.stripe.charges.list({ limit: 100 }))
    const refunds = await all(world.stripe.refunds.list({ limit: 100 }))
    const sources = [...charges, ...refunds].filter((source) => source.balance_transaction !== null)
    const of = listed.filter(({ type }) => type !== 'adjustment')
    expect(of.map(({ source }) => source).sort()).toEqual(sources.map(({ id }) => id).sort())
    const one = listed[0]!
    const { lastResponse: _, ...found } = await world.stripe.balanceTransactions.retrieve(one.id)
    expect(found).toEqual(one)
  })
})
