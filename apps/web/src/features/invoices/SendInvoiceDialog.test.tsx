import * as invoices from '@agency/contract/descriptors/invoices'
import type { InvoiceDetails, ListedInvoice } from '@agency/contract/types'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { anInvoice } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { InvoicesTab } from './InvoicesTab.tsx'
import { SendInvoiceDialog } from './SendInvoiceDialog.tsx'

const may = { send: null, pay: null, mark_paid: null, void: null, mark_uncollectible: null }
const open = (part: Partial<ListedInvoice> = {}): ListedInvoice => ({
  ...anInvoice({ id: 'in_1', number: 'HP-0001', status: 'open', amount_due: 4000, amount_remaining: 4000 }),
  amount_paid: 0,
  description: null,
  collection_method: 'send_invoice',
  refusals: may,
  ...part,
})
const details = (part: Partial<InvoiceDetails> = {}): InvoiceDetails => ({
  ...open(),
  customer_name: 'Ada Lovelace',
  customer_email: 'ada@example.com',
  total: 4000,
  lines: [{ id: 'il_1', description: 'Work', quantity: 1, amount: 4000 }],
  more_lines: false,
  subscription: null,
  sends_email: true,
  fetched_at: '2026-11-21T10:00:00Z',
  ...part,
})
const facts = {
  customer: { id: 'cus_1', name: 'Ada Lovelace', email: 'ada@example.com' },
  refusal: null,
  currency: 'usd',
  sends_email: true,
  invoices: [open(), open({ id: 'in_2', number: null, refusals: { ...may, send: 'Nothing due' } })],
}
const preview = {
  lines: [{ description: 'Work', unit_amount: 4000, quantity: 1, amount: 4000 }],
  currency: 'usd',
  total: 4000,
  balance: -1000,
  amount_due: 3000,
  due_date: '2026-12-21T10:00:00Z',
  memo: null,
  email: 'ada@example.com',
  sends_email: true,
}

function openDialog(handlers: Parameters<typeof mockApi<typeof invoices>>[1] = {}) {
  const api = mockApi(invoices, { getInvoicing: () => facts, previewInvoice: () => preview, ...handlers })
  const onClose = vi.fn()
  const view = renderPage(<SendInvoiceDialog customerId="cus_1" onClose={onClose} />)
  const sent = (name: string) => api.calls().filter((call) => call.name === name)
  return { ...view, onClose, sent }
}

async function fill(user: ReturnType<typeof openDialog>['user']) {
  await user.type(await screen.findByLabelText('Description'), 'Work')
  await user.type(screen.getByLabelText('Amount in USD'), '40')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
}

test('previews a new invoice and sends exactly that, with a key', async () => {
  const { user, sent, onClose } = openDialog({ createInvoice: () => ({ success: true as const, invoice: open() }) })
  await fill(user)
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.textContent).toContain('Ada Lovelace owes $30.00, due 12/21/2026.')
  expect(dialog.textContent).toContain("$10.00 of the customer's credit is used first.")
  expect(dialog.textContent).toContain('Stripe emails it to ada@example.com')
  await user.click(screen.getByRole('button', { name: 'Send $40.00' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const [call] = sent('createInvoice')
  expect(call?.headers.get('idempotency-key')).toBeTruthy()
  expect(call?.body).toEqual({
    customer: 'cus_1',
    currency: 'usd',
    lines: [{ description: 'Work', unit_amount: 4000, quantity: 1 }],
    days_until_due: 30,
    email: 'ada@example.com',
  })
})

test('goes back to what was entered', async () => {
  const { user, onClose } = openDialog()
  await fill(user)
  await user.click(await screen.findByRole('button', { name: 'Back' }))
  expect(((await screen.findByLabelText('Amount in USD')) as HTMLInputElement).value).toBe('40')
  expect(onClose).not.toHaveBeenCalled()
})

test('says what is missing when the button is pressed, and asks for nothing', async () => {
  const { user, sent } = openDialog()
  await screen.findByLabelText('Description')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText('Enter a description')).toBeTruthy()
  expect(screen.getByText('Enter an amount')).toBeTruthy()
  expect(sent('previewInvoice')).toEqual([])
})

test('sends one that waits, and tells why another cannot be sent', async () => {
  const { user, sent } = openDialog({
    getInvoice: () => ({ invoice: details() }),
    sendInvoice: () => ({ success: true as const, invoice: open() }),
  })
  const other = await screen.findByRole('radio', { name: /in_2/ })
  expect((other as HTMLInputElement).disabled).toBe(true)
  expect(screen.getByText('Nothing due')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: /HP-0001/ }))
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByText('Work')
  await user.click(screen.getByRole('button', { name: 'Send $40.00' }))
  await waitFor(() => expect(sent('sendInvoice')).toHaveLength(1))
})

test('shows what the server refused, and keeps what was entered', async () => {
  const { user } = openDialog({ previewInvoice: () => problem(409, { code: 'conflict', detail: 'No address.' }) })
  await fill(user)
  expect(await screen.findByText('No address.')).toBeTruthy()
  expect((screen.getByLabelText('Amount in USD') as HTMLInputElement).value).toBe('40')
})

test('tells at once that a customer cannot get one', async () => {
  openDialog({ getInvoicing: () => ({ ...facts, refusal: 'The customer has no email address: add one first' }) })
  expect(await screen.findByText('The customer has no email address: add one first.')).toBeTruthy()
})

function openTab(
  list: ListedInvoice[],
  handlers: Parameters<typeof mockApi<typeof invoices>>[1] = {},
  held?: string[],
) {
  const api = mockApi(invoices, {
    listCustomerInvoices: () => ({
      invoices: list,
      has_more: false,
      total: list.length,
      as_of: '2026-11-21T11:00:00Z',
    }),
    ...handlers,
  })
  const session = testSession()
  if (held) session.actor.permissions = held as typeof session.actor.permissions
  return { ...renderPage(<InvoicesTab customerId="cus_1" />, { session }), api }
}

test('lists invoices and says what voiding one reaches', async () => {
  const { user, api } = openTab([open()], {
    getInvoice: () => ({
      invoice: details({ subscription: { id: 'sub_1', plan_name: 'Business', status: 'past_due' } }),
    }),
    voidInvoice: () => ({ success: true as const, invoice: open({ status: 'void' }) }),
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for HP-0001' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Void' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Void Invoice' })
  await screen.findByText(/Stripe may make it active again/)
  expect(dialog.textContent).toContain('Ada Lovelace no longer owes $40.00')
  expect(dialog.textContent).toContain('The subscription Business (Past due)')
  expect(dialog.textContent).toContain('This cannot be undone.')
  await user.click(screen.getByRole('button', { name: 'Void $40.00' }))
  await waitFor(() => expect(api.calls().filter(({ name }) => name === 'voidInvoice')).toHaveLength(1))
})

const visa = { id: 'pm_1', type: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099 }

test('says which card is charged, and charges exactly that', async () => {
  const { user, api } = openTab([open()], {
    getInvoice: () => ({
      invoice: details({ subscription: { id: 'sub_1', plan_name: 'Business', status: 'past_due' } }),
    }),
    getInvoicePayer: () => ({ method: visa }),
    payInvoice: () => ({ success: true as const, invoice: open({ status: 'paid' }) }),
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for HP-0001' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Charge now' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Charge Invoice' })
  await screen.findByText('Visa ending in 4242, expires 12/2099')
  expect(dialog.textContent).toContain('Charges Ada Lovelace $40.00')
  expect(dialog.textContent).toContain('The subscription Business becomes active again once nothing else is due.')
  await user.click(screen.getByRole('button', { name: 'Charge $40.00' }))
  expect(await screen.findByText('Charged invoice HP-0001')).toBeTruthy()
  const [call] = api.calls().filter(({ name }) => name === 'payInvoice')
  expect(call?.body).toEqual({ amount: 4000, payment_method: 'pm_1' })
  expect(call?.headers.get('idempotency-key')).toBeTruthy()
})

test('charges nobody who has no card, and says what to do instead', async () => {
  const { user, api } = openTab([open()], {
    getInvoice: () => ({ invoice: details() }),
    getInvoicePayer: () => ({ method: null }),
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for HP-0001' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Charge now' }))
  await screen.findByText('Work')
  await user.click(screen.getByRole('button', { name: 'Charge $40.00' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Copy the payment link instead.')
  expect(api.calls().filter(({ name }) => name === 'payInvoice')).toEqual([])
})

test('tells what the bank said, and marks as paid what came by another way', async () => {
  const detail = "The customer's card has expired. Nothing was charged."
  const { user, api } = openTab([open({ hosted_invoice_url: 'https://pay.example/in_1' })], {
    getInvoice: () => ({ invoice: details() }),
    getInvoicePayer: () => ({ method: { ...visa, type: 'sepa_debit', brand: null, exp_month: null, exp_year: null } }),
    payInvoice: () => problem(422, { code: 'provider_invalid', detail }),
    markInvoicePaid: () => ({ success: true as const, invoice: open({ status: 'paid' }) }),
  })
  const menu = async (item: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for HP-0001' }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
  }
  await menu('Charge now')
  await screen.findByText('the saved bank account ending in 4242')
  expect(screen.getByText(/The bank confirms in a few days/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Charge $40.00' }))
  expect(await screen.findByText(detail)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await menu('Copy payment link')
  expect(await navigator.clipboard.readText()).toBe('https://pay.example/in_1')
  await menu('Mark as paid')
  await screen.findByText(/No card is charged/)
  await user.click(screen.getByRole('button', { name: 'Mark $40.00 as paid' }))
  expect(await screen.findByText('Marked invoice HP-0001 as paid')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'markInvoicePaid')?.body).toEqual({ amount: 4000 })
})

test('names the permission that is missing', async () => {
  const { user } = openTab([open()], {}, ['billing.read'])
  await user.click(await screen.findByRole('button', { name: 'Actions for HP-0001' }))
  const item = await screen.findByRole('menuitem', { name: /^Void/ })
  expect(item.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getAllByText(/Needs the permission billing.write/).length).toBeGreaterThan(0)
})

test('says that there are none yet', async () => {
  openTab([])
  expect(await screen.findByText('No invoices yet.')).toBeTruthy()
})

test('says why nothing is shown to who may not see billing', async () => {
  openTab([open()], {}, ['customers.read'])
  expect(await screen.findByText('You may not see invoices')).toBeTruthy()
})
