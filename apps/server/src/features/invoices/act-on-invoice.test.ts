import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  actionsOf,
  atProvider,
  auditOf,
  logLength,
  makeCustomer,
  newKey,
  sentSince,
} from '../../../test/provider-world.ts'
import { invoicesOf, makeInvoice, mirrored, person, startWorld, timesSent, type World } from './test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.close())

const statusOf = async (customer: string) => (await invoicesOf(world, customer))[0]?.status

describe('sending', () => {
  test('sends an open invoice again', async () => {
    const customer = await makeCustomer(world)
    const id = await makeInvoice(world, customer)
    const answer = await world.ada.act(id, 'send', newKey())
    expect(answer.json()).toMatchObject({ success: true, invoice: { id, status: 'open' } })
    expect(await timesSent(world, id)).toBe(1)
    expect(await auditOf(world, id)).toEqual(['Ada invoice.send requested done', 'Ada invoice.send done done'])
    await world.ada.act(id, 'send', newKey())
    expect(await timesSent(world, id)).toBe(2)
  })

  test('finalizes a draft first', async () => {
    const customer = await makeCustomer(world)
    const id = await makeInvoice(world, customer, 'draft')
    const answer = await world.ada.act(id, 'send', newKey())
    expect(answer.json()).toMatchObject({ invoice: { status: 'open', number: expect.stringMatching(/-0001$/) } })
    expect(await timesSent(world, id)).toBe(1)
    expect(await mirrored(world, id)).toMatchObject({ status: 'open', number: answer.json().invoice.number })
  })

  test('answers a repeat without sending again', async () => {
    const id = await makeInvoice(world, await makeCustomer(world))
    const key = newKey()
    const first = await world.ada.act(id, 'send', key)
    expect((await world.ada.act(id, 'send', key)).json()).toEqual(first.json())
    expect(await timesSent(world, id)).toBe(1)
  })

  test('sends nothing when the amount has changed at the provider', async () => {
    const customer = await makeCustomer(world)
    const id = await makeInvoice(world, customer, 'draft')
    await atProvider(world, '/invoiceitems', { customer, invoice: id, amount: '100', currency: 'usd' })
    const answer = await world.ada.act(id, 'send', newKey())
    const detail = 'The invoice is now $41.00: check again. Nothing was sent.'
    expect(answer.json()).toMatchObject({ status: 409, detail })
    expect(await statusOf(customer)).toBe('draft')
    expect(await mirrored(world, id)).toMatchObject({ amount_due: 4100 })
    expect(await auditOf(world, id)).toEqual(['Ada invoice.send requested done', 'Ada invoice.send failed failed'])
  })

  test('sends nothing when it was paid meanwhile', async () => {
    const id = await makeInvoice(world, await makeCustomer(world))
    await atProvider(world, `/invoices/${id}/pay`, { paid_out_of_band: 'true' })
    expect((await world.ada.act(id, 'send', newKey())).json()).toMatchObject({
      status: 409,
      detail: 'Already paid. Nothing was sent.',
    })
    expect(await timesSent(world, id)).toBe(0)
    expect(await mirrored(world, id)).toMatchObject({ status: 'paid' })
  })
})

describe('ending', () => {
  test('voids an open invoice for good', async () => {
    const customer = await makeCustomer(world)
    const id = await makeInvoice(world, customer)
    const answer = await world.ada.act(id, 'void', newKey())
    expect(answer.json()).toMatchObject({ success: true, invoice: { id, status: 'void' } })
    expect(await statusOf(customer)).toBe('void')
    expect(await mirrored(world, id)).toMatchObject({ status: 'void' })
    expect(await auditOf(world, id)).toEqual(['Ada invoice.void requested done', 'Ada invoice.void done done'])
    const again = await world.ada.act(id, 'void', newKey())
    expect(again.json()).toMatchObject({ status: 409, detail: 'Already void. Nothing was voided.' })
  })

  test('writes an open invoice off, after which it can still be voided', async () => {
    const customer = await makeCustomer(world)
    const id = await makeInvoice(world, customer)
    expect((await world.ada.act(id, 'mark-uncollectible', newKey())).json()).toMatchObject({
      invoice: { status: 'uncollectible' },
    })
    expect(await auditOf(world, id)).toEqual([
      'Ada invoice.mark_uncollectible requested done',
      'Ada invoice.mark_uncollectible done done',
    ])
    expect((await world.ada.act(id, 'void', newKey())).json()).toMatchObject({ invoice: { status: 'void' } })
    expect(await statusOf(customer)).toBe('void')
  })

  test('tells what the provider says where the console did not know better', async () => {
    const customer = await makeCustomer(world)
    const id = await makeInvoice(world, customer)
    await atProvider(world, `/invoices/${id}/pay`, { paid_out_of_band: 'true' })
    const answer = await world.ada.act(id, 'void', newKey())
    expect(answer.json()).toMatchObject({ status: 422, code: 'provider_invalid' })
    expect(await statusOf(customer)).toBe('paid')
  })
})

describe('refusals', () => {
  type Verb = Parameters<typeof world.ada.act>[1]
  const automatic = { collection_method: 'charge_automatically' }

  test.each<[Verb, 'draft' | 'open' | 'paid', Record<string, string> | undefined, string]>([
    ['void', 'paid', undefined, 'Already paid: refund the payment instead. Nothing was voided.'],
    ['void', 'draft', undefined, 'Still a draft. Nothing was voided.'],
    ['mark-uncollectible', 'paid', undefined, 'Already paid. Nothing was changed.'],
    ['mark-uncollectible', 'draft', undefined, 'Still a draft. Nothing was changed.'],
    ['send', 'paid', undefined, 'Already paid. Nothing was sent.'],
    ['send', 'open', automatic, 'Charged automatically by Stripe, so not sent. Nothing was sent.'],
    ['send', 'draft', automatic, 'Charged automatically by Stripe, so not sent. Nothing was sent.'],
  ])('refuses to %s one that is %s', async (verb, state, terms, detail) => {
    const customer = await makeCustomer(world)
    const id = await makeInvoice(world, customer, state, terms)
    const before = await invoicesOf(world, customer)
    const from = logLength(world)
    const answer = await world.ada.act(id, verb, newKey())
    expect(answer.json()).toMatchObject({ status: 409, code: 'conflict', detail })
    expect(sentSince(world, from)).toEqual([])
    expect(await invoicesOf(world, customer)).toEqual(before)
    expect(await actionsOf(world, id)).toEqual([])
    expect(await auditOf(world, id)).toEqual([])
  })

  test.each<Verb>(['send', 'void', 'mark-uncollectible'])('needs billing.write to %s', async (verb) => {
    const id = await makeInvoice(world, await makeCustomer(world))
    const from = logLength(world)
    const answer = await person(world.console, 'Rita', ['billing.read']).act(id, verb)
    expect(answer.json()).toMatchObject({ status: 403, permission: 'billing.write' })
    expect((await world.ada.act('in_none', verb)).json()).toMatchObject({ status: 404, code: 'not_found' })
    expect(sentSince(world, from)).toEqual([])
  })
})

describe('looking', () => {
  test("lists a customer's invoices page by page, newest first", async () => {
    const customer = await makeCustomer(world)
    const made: string[] = []
    for (const state of ['paid', 'open', 'draft'] as const) {
      made.unshift(await makeInvoice(world, customer, state))
      await world.sandbox.advance(1000)
    }
    const path = `/customers/${customer}/invoices`
    const first = (await world.ada.get(`${path}?limit=2`)).json()
    expect(first).toMatchObject({ has_more: true, total: 3, invoices: [{ id: made[0] }, { id: made[1] }] })
    const rest = (await world.ada.get(`${path}?limit=2&starting_after=${made[1]}`)).json()
    expect(rest).toMatchObject({ has_more: false, invoices: [{ id: made[2], status: 'paid' }] })
    expect((await world.ada.get(`${path}?status=open`)).json()).toMatchObject({ total: 1, invoices: [{ id: made[1] }] })
    expect((await world.ada.get(`${path}?status=none`)).json()).toMatchObject({ status: 400, parameter: 'status' })
    expect((await world.ada.get(`${path}?limit=0`)).json()).toMatchObject({ status: 400, parameter: 'limit' })
    expect((await world.ada.get(`${path}?starting_after=in_none`)).json()).toMatchObject({ status: 400 })
    expect((await world.ada.get('/customers/cus_none/invoices')).json()).toMatchObject({ invoices: [], total: 0 })
  })

  test('shows one with its lines, and leads to its page and its file', async () => {
    const customer = await makeCustomer(world, { name: '<b>Ada</b>' })
    const id = await makeInvoice(world, customer)
    const { invoice } = (await world.ada.get(`/invoices/${id}`)).json()
    expect(invoice).toMatchObject({
      id,
      customer_email: 'ada@example.com',
      total: 4000,
      lines: [{ description: 'Work', quantity: 1, amount: 4000 }],
      subscription: null,
      sends_email: false,
      refusals: { send: null, void: null, mark_uncollectible: null },
    })
    const page = await fetch(invoice.hosted_invoice_url)
    expect(invoice.hosted_invoice_url.startsWith(world.sandbox.stripe.baseUrl)).toBe(true)
    expect(page.headers.get('content-type')).toContain('text/html')
    const html = await page.text()
    expect(html).toContain('USD 40.00')
    expect(html).not.toContain('<b>Ada')
    const file = await fetch(invoice.invoice_pdf)
    expect(file.headers.get('content-type')).toBe('application/pdf')
    expect((await file.text()).startsWith('%PDF-')).toBe(true)
    expect((await world.ada.get('/invoices/in_none')).json()).toMatchObject({ status: 404 })
  })

  test('offers the invoices that may be sent', async () => {
    const customer = await makeCustomer(world)
    const [paid, open] = [await makeInvoice(world, customer, 'paid'), await makeInvoice(world, customer, 'open')]
    const facts = (await world.ada.get(`/customers/${customer}/invoicing`)).json()
    expect(facts).toMatchObject({ refusal: null, currency: 'usd', invoices: [{ id: open }] })
    expect(JSON.stringify(facts)).not.toContain(paid)
    expect((await world.ada.get('/customers/cus_none/invoicing')).json()).toMatchObject({ status: 404 })
  })
})
