import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  actionOf,
  actionsOf,
  atProvider,
  auditOf,
  logLength,
  makeCustomer,
  mirror,
  newKey,
  sentSince,
} from '../../../test/provider-world.ts'
import { invoicesOf, mirrored, order, person, startWorld, timesSent, type World } from './test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.close())

describe('a new invoice', () => {
  test('is made, filled, finalized and sent, each once, and recorded', async () => {
    const customer = await makeCustomer(world)
    const from = logLength(world)
    const answer = await world.ada.create(order(customer, { memo: 'Thank you' }), 'new-1')
    expect(answer.json()).toMatchObject({
      success: true,
      invoice: { customer_id: customer, status: 'open', amount_due: 5999, amount_remaining: 5999, currency: 'usd' },
    })
    const [made, ...more] = await invoicesOf(world, customer)
    expect(more).toEqual([])
    expect(made).toMatchObject({
      id: answer.json().invoice.id,
      status: 'open',
      total: 5999,
      description: 'Thank you',
      collection_method: 'send_invoice',
      metadata: { action_id: 'new-1' },
      lines: {
        data: [
          { description: 'Design', quantity: 2, amount: 5000 },
          { description: 'Hosting', amount: 999 },
        ],
      },
    })
    expect(Number(made!['due_date']) - Number(made!['created'])).toBe(14 * 86_400)
    expect(await timesSent(world, made!.id)).toBe(1)
    const sent = sentSince(world, from)
    expect(sent.map(({ name }) => name)).toEqual([
      'invoices.create',
      'invoiceItems.create',
      'invoiceItems.create',
      'invoices.finalizeInvoice',
      'invoices.sendInvoice',
    ])
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(5)
    expect(await mirrored(world, made!.id)).toMatchObject({ status: 'open', amount_due: 5999, source: 'action' })
    expect(await auditOf(world, customer)).toEqual([
      'Ada invoice.create requested done',
      'Ada invoice.create done done',
    ])
    expect(await auditOf(world, made!.id)).toEqual(['Ada invoice.send done done'])
    expect(await actionOf(world, 'new-1')).toMatchObject({
      kind: 'invoice_create',
      state: 'done',
      attempts: 1,
      amount: 5999,
      result_id: made!.id,
      next_try_at: null,
    })
  })

  test('answers a repeat with the first answer and sends nothing again', async () => {
    const customer = await makeCustomer(world)
    const [key, body] = [newKey(), order(customer)]
    const first = await world.ada.create(body, key)
    const from = logLength(world)
    expect((await world.ada.create(body, key)).json()).toEqual(first.json())
    const other = await world.ada.create(order(customer, { days_until_due: 15 }), key)
    expect(other.json()).toMatchObject({ status: 409, code: 'idempotency_conflict' })
    expect(sentSince(world, from)).toEqual([])
    expect(await invoicesOf(world, customer)).toHaveLength(1)
  })

  test('is made once by two presses at the same time', async () => {
    const customer = await makeCustomer(world)
    const key = newKey()
    const answers = await Promise.all([1, 2].map(() => world.ada.create(order(customer), key)))
    const [made, ...more] = await invoicesOf(world, customer)
    expect(more).toEqual([])
    // Whichever came second finds the first either under way or done.
    const told = answers.map((answer) => (answer.statusCode === 409 ? answer.json().code : answer.json().invoice.id))
    expect(told).toContain(made!.id)
    for (const one of told) expect([made!.id, 'conflict']).toContain(one)
    expect(await timesSent(world, made!.id)).toBe(1)
  })

  test('leaves out discounts and what waits for the next invoice', async () => {
    const customer = await makeCustomer(world)
    await atProvider(world, '/invoiceitems', { customer, amount: '777', currency: 'usd', description: 'Pending' })
    const answer = await world.ada.create(order(customer))
    expect(answer.json().invoice.amount_due).toBe(5999)
  })

  test('uses up credit first, and says so beforehand', async () => {
    const customer = await makeCustomer(world, { balance: '-1000' })
    const preview = (await world.ada.preview(order(customer))).json()
    expect(preview).toMatchObject({ total: 5999, balance: -1000, amount_due: 4999 })
    const { invoice } = (await world.ada.create(order(customer))).json()
    expect(invoice).toMatchObject({ status: 'open', amount_due: 4999 })
  })

  test('counts as paid at once where credit covers all of it', async () => {
    const customer = await makeCustomer(world, { balance: '-9000' })
    expect((await world.ada.preview(order(customer))).json()).toMatchObject({ amount_due: 0 })
    expect((await world.ada.create(order(customer))).json()).toMatchObject({ invoice: { status: 'paid' } })
  })

  test.each([
    ['jpy', 1050, 1050],
    ['kwd', 1230, 1230],
    ['eur', 1, 1],
  ])('is exact in %s', async (currency, unit_amount, total) => {
    const customer = await makeCustomer(world)
    const answer = await world.ada.create(order(customer, { currency, lines: [{ description: 'x', unit_amount }] }))
    expect(answer.json()).toMatchObject({ invoice: { currency, amount_due: total } })
  })
})

describe('the preview', () => {
  test('says what the customer will get, and changes nothing', async () => {
    const customer = await makeCustomer(world)
    const from = world.sandbox.requestLog().length
    const answer = await world.ada.preview(order(customer, { memo: 'Thank you' }))
    const { due_date, ...rest } = answer.json()
    expect(rest).toEqual({
      lines: [
        { description: 'Design', unit_amount: 2500, quantity: 2, amount: 5000 },
        { description: 'Hosting', unit_amount: 999, quantity: 1, amount: 999 },
      ],
      currency: 'usd',
      total: 5999,
      balance: 0,
      amount_due: 5999,
      memo: 'Thank you',
      email: 'ada@example.com',
      sends_email: false,
    })
    expect(Date.parse(due_date) - world.console.ctx.clock()).toBeGreaterThan(13 * 86_400_000)
    expect(world.sandbox.requestLog()).toHaveLength(from)
    expect(await actionsOf(world, customer)).toEqual([])
  })
})

describe('refusals', () => {
  /** Neither the provider nor the records hear of it. */
  async function expectRefused(customer: string, body: unknown, expected: Record<string, unknown>) {
    const from = logLength(world)
    const answer = await world.ada.create(body, newKey())
    expect({ ...answer.json(), status: answer.statusCode }).toMatchObject(expected)
    expect(sentSince(world, from)).toEqual([])
    expect(await invoicesOf(world, customer)).toEqual([])
    expect(await actionsOf(world, customer)).toEqual([])
    expect(await auditOf(world, customer)).toEqual([])
  }
  const line = (unit_amount: unknown, more: object = {}) => ({ lines: [{ description: 'x', unit_amount, ...more }] })

  test.each<[string, Record<string, unknown>, string, string]>([
    ['an amount of 0', line(0), 'lines.0.unit_amount', 'must be more than 0'],
    ['an amount of -1', line(-1), 'lines.0.unit_amount', 'must be more than 0'],
    ['half a minor unit', line(0.5), 'lines.0.unit_amount', 'must be a whole number of minor units'],
    ['yen with decimals', { currency: 'jpy', ...line(10.5) }, 'lines.0.unit_amount', 'whole number of minor units'],
    ['a text for an amount', line('10'), 'lines.0.unit_amount', 'whole number of minor units'],
    ['a line without words', line(1, { description: ' ' }), 'lines.0.description', 'must say what it is for'],
    ['a quantity of 0', line(1, { quantity: 0 }), 'lines.0.quantity', 'must be more than 0'],
    ['half a piece', line(1, { quantity: 0.5 }), 'lines.0.quantity', 'must be a whole number'],
    ['no line', { lines: [] }, 'lines', 'must have at least one line'],
    ['days before today', { days_until_due: -1 }, 'days_until_due', 'must not be negative'],
    ['an unknown field', { amout: 1 }, 'amout', ''],
    [
      'a third decimal in dinars',
      { currency: 'kwd', ...line(1231) },
      'lines[0].unit_amount',
      'a multiple of 10 in KWD',
    ],
    ['more than the provider takes', line(99_999_999, { quantity: 2 }), 'lines', 'must not add up to more than'],
  ])('refuses %s', async (_name, change, parameter, text) => {
    const customer = await makeCustomer(world)
    const detail = expect.stringContaining(text)
    await expectRefused(customer, order(customer, change), { status: 400, code: 'invalid_request', parameter, detail })
  })

  test('refuses a customer without an address', async () => {
    const made = await atProvider(world, '/customers', { name: 'Nobody' })
    const customer = String(made['id'])
    await mirror(world, 'customer', customer)
    const detail = 'The customer has no email address: add one first. Nothing was sent.'
    await expectRefused(customer, order(customer), { status: 409, code: 'conflict', detail })
    expect((await world.ada.preview(order(customer))).json()).toMatchObject({ status: 409, detail })
    expect((await world.ada.get(`/customers/${customer}/invoicing`)).json()).toMatchObject({
      refusal: 'The customer has no email address: add one first',
    })
  })

  test('refuses another currency than the one that the customer is billed in', async () => {
    const customer = await makeCustomer(world)
    await world.console.ctx.db
      .updateTable('customers')
      .set({ raw: JSON.stringify({ id: customer, currency: 'eur' }) })
      .where('id', '=', customer)
      .execute()
    await expectRefused(customer, order(customer), { status: 400, parameter: 'currency' })
  })

  test('refuses an address that is not the one that was previewed', async () => {
    const customer = await makeCustomer(world)
    await expectRefused(customer, order(customer, { email: 'old@example.com' }), { status: 409, code: 'conflict' })
  })

  test('refuses a customer that does not exist', async () => {
    await expectRefused('cus_none', order('cus_none'), { status: 404, code: 'not_found' })
  })

  test('removes the draft where the provider has another address than the console', async () => {
    const customer = await makeCustomer(world)
    await atProvider(world, `/customers/${customer}`, { email: 'new@example.com' })
    const answer = await world.ada.create(order(customer), newKey())
    expect(answer.json()).toMatchObject({ status: 409, detail: expect.stringContaining('new@example.com') })
    expect(await invoicesOf(world, customer)).toEqual([])
    expect(
      await world.sandbox.control
        .dump('invoiceitem')
        .then((all) => all.filter((item) => item['customer'] === customer)),
    ).toEqual([])
    expect((await actionsOf(world, customer)).map(({ state }) => state)).toEqual(['failed'])
    expect(await auditOf(world, customer)).toEqual([
      'Ada invoice.create requested done',
      'Ada invoice.create failed failed',
    ])
  })

  test('needs billing.write to send and billing.read to look', async () => {
    const customer = await makeCustomer(world)
    const reader = person(world.console, 'Rita', ['billing.read'])
    const from = logLength(world)
    expect((await reader.create(order(customer))).json()).toMatchObject({ status: 403, permission: 'billing.write' })
    expect((await reader.preview(order(customer))).statusCode).toBe(200)
    const nobody = person(world.console, 'Nobody', [])
    for (const path of [`/customers/${customer}/invoices`, `/customers/${customer}/invoicing`, '/invoices/in_1'])
      expect((await nobody.get(path)).json()).toMatchObject({ status: 403, permission: 'billing.read' })
    expect((await nobody.preview(order(customer))).statusCode).toBe(403)
    expect(sentSince(world, from)).toEqual([])
  })
})
