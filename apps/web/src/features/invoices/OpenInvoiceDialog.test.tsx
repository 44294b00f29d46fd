import * as invoices from '@agency/contract/descriptors/invoices'
import type { ListedInvoice } from '@agency/contract/types'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { anInvoice } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import type { OpenInvoiceAct } from '../../lib/invoice-parts.ts'
import { OpenInvoiceDialog } from './OpenInvoiceDialog.tsx'

const may = { send: null, pay: null, mark_paid: null, void: null, mark_uncollectible: null }
const open = (part: Partial<ListedInvoice> = {}): ListedInvoice => ({
  ...anInvoice({ id: 'in_1', number: 'HP-0001', status: 'open', amount_due: 4000, amount_remaining: 4000 }),
  ...{ amount_paid: 0, description: null, collection_method: 'charge_automatically', refusals: may },
  hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  ...part,
})
const second = open({ id: 'in_2', number: 'HP-0002', amount_remaining: 900 })
const email = { refusal: null, to: 'ada@example.com', subject: 'Payment of $40.00', text: 'Hello Ada,\n\nplease pay.' }

function openDialog(
  found: ListedInvoice[],
  act: OpenInvoiceAct['act'],
  handlers: Parameters<typeof mockApi<typeof invoices>>[1] = {},
) {
  const api = mockApi(invoices, {
    listCustomerInvoices: () => ({
      invoices: found,
      has_more: false,
      total: found.length,
      as_of: '2026-11-21T11:00:00Z',
    }),
    getInvoice: ({ params }) => ({
      invoice: {
        ...(found.find(({ id }) => id === params.id) ?? open()),
        ...{
          customer_name: 'Ada Lovelace',
          customer_email: 'ada@example.com',
          total: 4000,
          lines: [],
          more_lines: false,
        },
        ...{ subscription: null, sends_email: true, fetched_at: '2026-11-21T10:00:00Z' },
      },
    }),
    getPaymentLinkEmail: () => email,
    ...handlers,
  })
  const onClose = vi.fn()
  const view = renderPage(<OpenInvoiceDialog act={act} customerId="cus_1" subscriptionId="sub_1" onClose={onClose} />)
  const sent = (name: string) => api.calls().filter((call) => call.name === name)
  return { ...view, onClose, sent }
}

test('goes straight to the only open invoice of the subscription', async () => {
  const { user, sent, onClose } = openDialog([open()], 'mark_paid', {
    markInvoicePaid: () => ({ success: true as const, invoice: open({ status: 'paid', amount_remaining: 0 }) }),
  })
  await user.click(await screen.findByRole('button', { name: 'Mark $40.00 as paid' }))
  await waitFor(() => expect(sent('markInvoicePaid')).toHaveLength(1))
  expect(sent('listCustomerInvoices')[0]).toMatchObject({ query: { status: 'open', subscription: 'sub_1' } })
  expect(sent('markInvoicePaid')[0]).toMatchObject({ params: { id: 'in_1' }, body: { amount: 4000 } })
  await waitFor(() => expect(onClose).toHaveBeenCalled())
})

test('asks which one where there are several, and goes back to the choice', async () => {
  const { user, sent } = openDialog([open(), second], 'mark_paid', {
    markInvoicePaid: () => ({ success: true as const, invoice: { ...second, status: 'paid' } }),
  })
  await user.click(await screen.findByRole('radio', { name: /HP-0002/ }))
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await user.click(await screen.findByRole('button', { name: 'Back' }))
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await user.click(await screen.findByRole('button', { name: 'Mark $9.00 as paid' }))
  await waitFor(() =>
    expect(sent('markInvoicePaid')).toMatchObject([{ params: { id: 'in_2' }, body: { amount: 900 } }]),
  )
})

test('says that nothing is open', async () => {
  openDialog([], 'pay')
  expect(await screen.findByText('No open invoice of this subscription. Nothing is left to collect here.')).toBeTruthy()
})

test('invoices that cannot be read are not said to be loading', async () => {
  openDialog([], 'pay', {
    listCustomerInvoices: () => problem(503, { code: 'unavailable', detail: 'The database is busy' }),
  })
  await screen.findByRole('button', { name: 'Retry' })
  const go = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' })
  expect([go.disabled, go.getAttribute('aria-description')]).toEqual([true, 'The list of invoices could not be loaded'])
})

test('copies the link of the invoice that was chosen', async () => {
  const { user, onClose } = openDialog([open()], 'copy_link')
  await screen.findByRole('radio', { name: /HP-0001/ })
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  await screen.findByText('Copied the payment link of invoice HP-0001')
  expect(await navigator.clipboard.readText()).toBe('https://invoice.stripe.com/i/1')
  expect(onClose).toHaveBeenCalled()
})

test('shows the email before it is sent, and sends it to the address that was shown', async () => {
  const { user, sent } = openDialog([open()], 'email_link', {
    emailPaymentLink: () => ({ success: true as const, invoice: open() }),
  })
  await screen.findByText(/please pay\./)
  await user.click(screen.getByRole('button', { name: 'Send email' }))
  await screen.findByText('Emailed the payment link of invoice HP-0001 to ada@example.com')
  const [call] = sent('emailPaymentLink')
  expect(call?.headers.get('idempotency-key')).toBeTruthy()
  expect(call?.body).toEqual({ to: 'ada@example.com', amount: 4000 })
})

test('tells why it cannot be sent, and what the server refused', async () => {
  const refusal = 'Set "Mail server" under System Config first'
  const { user, sent } = openDialog([open()], 'email_link', { getPaymentLinkEmail: () => ({ ...email, refusal }) })
  await screen.findByText(`${refusal}.`)
  await user.click(screen.getByRole('button', { name: 'Send email' }))
  expect(sent('emailPaymentLink')).toEqual([])
})

test('a refusal of the server stays in the dialog', async () => {
  const { user, onClose } = openDialog([open()], 'email_link', {
    emailPaymentLink: () => problem(409, { code: 'conflict', detail: 'Nothing due. Nothing was sent.' }),
  })
  await screen.findByText(/please pay\./)
  await user.click(screen.getByRole('button', { name: 'Send email' }))
  expect(await screen.findByText('Nothing due. Nothing was sent.')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})
