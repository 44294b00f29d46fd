import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { helpersOf, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 1 } })
const { newCustomer } = helpersOf(world)

async function draftOf(customer: string) {
  const draft = await world.stripe.invoices.create({
    customer,
    currency: 'usd',
    collection_method: 'send_invoice',
    days_until_due: 14,
  })
  return draft.id
}

describe('items of an invoice', () => {
  test('cost what one of them does, times their quantity', async () => {
    const customer = await newCustomer()
    const invoice = await draftOf(customer)
    const unit = Stripe.Decimal.from('1250')
    await world.stripe.invoiceItems.create({
      customer,
      invoice,
      currency: 'usd',
      unit_amount_decimal: unit,
      quantity: 3,
      metadata: { line: '0' },
    })
    const { lines, total } = await world.stripe.invoices.retrieve(invoice)
    expect(total).toBe(3750)
    expect(lines.data).toMatchObject([{ amount: 3750, quantity: 3, metadata: { line: '0' } }])
    const both = world.stripe.invoiceItems.create({ customer, invoice, amount: 1, unit_amount_decimal: unit })
    expect(await refusal(both)).toMatchObject({ statusCode: 400, param: 'amount' })
    const other = world.stripe.invoiceItems.create({ customer, invoice, amount: 1, currency: 'eur' })
    expect(await refusal(other)).toMatchObject({ statusCode: 400, param: 'currency' })
  })

  test('can be taken from a draft, but not from what is final', async () => {
    const customer = await newCustomer()
    const invoice = await draftOf(customer)
    const add = (amount: number) => world.stripe.invoiceItems.create({ customer, invoice, amount, currency: 'usd' })
    const [first, second] = [await add(1000), await add(2000)]
    await world.stripe.invoiceItems.del(first.id)
    expect(await world.stripe.invoices.retrieve(invoice)).toMatchObject({ total: 2000, amount_due: 2000 })
    await world.stripe.invoices.finalizeInvoice(invoice)
    expect(await refusal(world.stripe.invoiceItems.del(second.id))).toMatchObject({ statusCode: 400 })
  })

  test('are spared by discounts where they say so', async () => {
    const coupon = await world.stripe.coupons.create({ percent_off: 50, duration: 'forever' })
    const customer = await newCustomer()
    const price = (await world.stripe.prices.list({ limit: 1, type: 'recurring' })).data[0]
    await world.stripe.subscriptions.create({
      customer,
      items: [{ price: price!.id }],
      discounts: [{ coupon: coupon.id }],
    })
    const { id: invoice } = await world.stripe.invoices.create({
      customer,
      subscription: (await world.stripe.subscriptions.list({ customer })).data[0]!.id,
    })
    const add = (discountable: boolean) =>
      world.stripe.invoiceItems.create({ customer, invoice, amount: 1000, currency: price!.currency, discountable })
    await add(true)
    await add(false)
    expect((await world.stripe.invoices.retrieve(invoice)).total).toBe(1500)
  })
})

describe('sending', () => {
  test('needs an address, and an invoice that is meant to be sent', async () => {
    const { id: customer } = await world.stripe.customers.create({ name: 'Nobody' })
    expect(await refusal(draftOf(customer))).toMatchObject({ message: expect.stringContaining('Missing email') })
    const charged = await world.stripe.invoices.create({ customer: await newCustomer() })
    expect(await refusal(world.stripe.invoices.sendInvoice(charged.id))).toMatchObject({
      message: "You can only manually send an invoice if its collection method is 'send_invoice'.",
    })
  })
})

describe('the page and the file of an invoice', () => {
  test('are there once it is final, and hostile texts stay texts', async () => {
    const customer = await newCustomer()
    await world.stripe.customers.update(customer, { name: '<script>alert(1)</script> (\\)' })
    const invoice = await draftOf(customer)
    await world.stripe.invoiceItems.create({
      customer,
      invoice,
      amount: 123_450,
      currency: 'usd',
      description: '<img src=x>',
    })
    const { baseUrl } = world.sandbox.stripe
    const get = (path: string) => fetch(`${baseUrl}${path}`)
    const paths = [`/i/${invoice}`, `/invoice/${invoice}/pdf`]
    for (const path of paths) expect((await get(path)).status).toBe(401)
    const { hosted_invoice_url, invoice_pdf } = await world.stripe.invoices.finalizeInvoice(invoice)
    expect([hosted_invoice_url, invoice_pdf].map((link) => new URL(link!).pathname)).toEqual(paths)
    const page = await get(paths[0]!)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await page.text()
    expect(html).toContain('USD 1,234.50')
    expect(html).toContain('&lt;script&gt;')
    expect(html).not.toMatch(/<script|<img/)
    const file = Buffer.from(await (await get(paths[1]!)).arrayBuffer()).toString('latin1')
    expect(file).toMatch(/^%PDF-1\.4\n/)
    expect(file).toContain('\\(\\\\\\)')
    const start = Number(/startxref\n(\d+)/.exec(file)?.[1])
    expect(file.slice(start, start + 4)).toBe('xref')
  })
})
