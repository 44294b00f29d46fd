import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { idsOf } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

let t: TestContext
let without: TestContext
const link = 'https://invoice.stripe.com/i/acct_1/live_1'
const invoice = {
  ...{ id: 'in_1', number: 'PD-0007', customer_id: 'cus_1', subscription_id: 'sub_1', status: 'open' },
  ...{ amount_due: 4000, amount_paid: 0, amount_remaining: 4000, attempt_count: 2, hosted_invoice_url: link },
}

beforeAll(async () => {
  t = await createTestContext({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Agency <console@example.com>' } })
  without = await createTestContext({})
})
afterAll(async () => {
  await t?.close()
  await without?.close()
})
beforeEach(async () => {
  for (const { ctx } of [t, without]) {
    for (const table of ['invoices', 'invoice_payments', 'customers', 'mails'])
      await ctx.pool.query(`delete from ${table}`)
    await insertRows(ctx.pool, 'customers', [
      { id: 'cus_1', name: 'Pinecrest Dental', email: 'billing@pinecrest.example' },
    ])
    await insertRows(ctx.pool, 'invoices', [invoice])
  }
})

const path = '/stripe/invoices/in_1/payment-link'
const order = { to: 'billing@pinecrest.example', amount: 4000 }
const preview = async (where = t) => (await request(where.ctx).as('super_admin').get(path)).json()
const send = (body: object = order, key: string = randomUUID(), where = t) =>
  request(where.ctx).as('super_admin').post(path, body, { 'idempotency-key': key })
const mails = async () =>
  (await t.ctx.pool.query('select kind, to_address, to_name, subject, state from mails order by created_at')).rows
const change = (set: string) => t.ctx.pool.query(`update invoices set ${set}`)

describe('emailing the payment link', () => {
  test('shows the email first, sends it once for a double press, and writes down who got it', async () => {
    expect(await preview()).toEqual({
      ...{ refusal: null, to: 'billing@pinecrest.example', subject: 'Payment of $40.00 for invoice PD-0007' },
      text: [
        'Hello Pinecrest Dental,',
        'Your payment of $40.00 for invoice PD-0007 did not go through. You can pay on this page:',
        link,
        'Please reply to this email if you have questions.',
        'Agency Console',
      ].join('\n\n'),
    })
    const key = randomUUID()
    const answers = await Promise.all([send(order, key), send(order, key)])
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
    expect((await send(order, key)).json()).toMatchObject({ success: true, invoice: { id: 'in_1', status: 'open' } })
    expect(await mails()).toEqual([
      {
        ...{ kind: 'customer.payment_link:cus_1', state: 'queued', subject: 'Payment of $40.00 for invoice PD-0007' },
        ...{ to_address: 'billing@pinecrest.example', to_name: 'Pinecrest Dental' },
      },
    ])
    const { rows } = await t.ctx.pool.query(`select after from audit_entries where action = 'invoice.email_link'`)
    expect(rows).toEqual([
      { after: { number: 'PD-0007', to: 'billing@pinecrest.example', amount: 4000, currency: 'usd' } },
    ])
  })

  test('says that the payment is still due where nothing was tried', async () => {
    await change('attempt_count = 0, number = null')
    expect((await preview()).text).toContain('Your payment of $40.00 for your invoice is still due.')
  })

  test.each([
    [`status = 'paid'`, 'Only open invoices can be paid by a link'],
    [`hosted_invoice_url = null`, 'Stripe shows no payment page for this invoice'],
    [`amount_remaining = 0`, 'Nothing due'],
    [`customer_id = 'cus_2'`, 'The customer has no email address'],
  ])('is refused before and after the press: %s', async (set, refusal) => {
    await change(set)
    expect((await preview()).refusal).toBe(refusal)
    const answer = await send()
    expect([answer.statusCode, answer.json().detail]).toEqual([409, `${refusal}. Nothing was sent.`])
    expect(await mails()).toEqual([])
  })

  test('is refused without a mail server', async () => {
    const refusal = 'Set "Mail server" under System Config first'
    expect((await preview(without)).refusal).toBe(refusal)
    expect((await send(order, randomUUID(), without)).json().detail).toBe(`${refusal}. Nothing was sent.`)
  })

  test('is refused with another amount or address than was shown', async () => {
    await change('amount_remaining = 3000')
    expect((await send()).json().detail).toBe('The invoice is now $30.00: check again. Nothing was sent.')
    expect((await send({ to: 'old@example.com', amount: 3000 })).json().detail).toBe(
      "The customer's email address is now billing@pinecrest.example. Nothing was sent. Check and send again.",
    )
    expect(await mails()).toEqual([])
  })
})

test('lists the invoices of a subscription, and those that a payment was for', async () => {
  await insertRows(t.ctx.pool, 'invoices', [{ ...invoice, id: 'in_2', subscription_id: null }])
  await insertRows(t.ctx.pool, 'invoice_payments', [{ id: 'inpay_2', invoice_id: 'in_2', payment_id: 'pi_2' }])
  const listed = async (query: string) =>
    idsOf((await request(t.ctx).as('super_admin').get(`/stripe/customers/cus_1/invoices?${query}`)).json().invoices)
  expect(await listed('status=open&subscription=sub_1')).toEqual(['in_1'])
  expect(await listed('status=open&payment=pi_2')).toEqual(['in_2'])
  expect(await listed('status=paid&payment=pi_2')).toEqual([])
})
