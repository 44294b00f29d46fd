import * as dunning from '@agency/contract/descriptors/dunning'
import * as invoices from '@agency/contract/descriptors/invoices'
import type { FailedInvoice } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { anInvoice } from '../../../../test/fixtures.ts'
import { mockApi } from '../../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../../test/render.tsx'
import { DunningFigures } from './DunningFigures.tsx'
import { DunningTab } from './DunningTab.tsx'

const failed = (part: Partial<FailedInvoice> = {}): FailedInvoice => ({
  ...anInvoice({ id: 'in_1', number: 'HP-0001', status: 'open', amount_due: 4000, amount_remaining: 4000 }),
  ...{ amount_paid: 0, attempt_count: 2, description: null, collection_method: 'charge_automatically' },
  hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  refusals: {
    send: 'Charged automatically by Stripe, so not sent',
    pay: null,
    mark_paid: null,
    void: null,
    mark_uncollectible: null,
  },
  ...{ customer_id: 'cus_1', customer_name: 'Ada Lovelace', customer_email: 'ada@example.com' },
  ...{ subscription_id: 'sub_1', plan_name: 'Starter Care', subscription_status: 'past_due', payment_id: 'pi_1' },
  ...{ failed_at: '2026-11-18T10:00:00Z', failure_code: 'insufficient_funds' },
  failure_message: 'Your card has insufficient funds.',
  card: { brand: 'visa', last4: '9995', exp_month: 12, exp_year: 2099 },
  ...{ needs_customer: false, next_attempt_at: '2026-11-23T10:00:00Z' },
  ...part,
})

function openTab(rows: FailedInvoice[], permissions?: Parameters<typeof testSession>[0]) {
  const api = mockApi(dunning, {
    listFailedInvoices: () => ({ invoices: rows, has_more: false, total: rows.length, as_of: '2026-11-21T11:00:00Z' }),
  })
  const onSettled = vi.fn()
  const options = { route: '/admin/payments?tab=dunning', ...(permissions && { session: testSession(permissions) }) }
  return { api, onSettled, ...renderPage(<DunningTab onSettled={onSettled} />, options) }
}

test('shows why a payment failed, what is at stake and when it is tried again, with its links', async () => {
  const { onSettled, user } = openTab([
    failed(),
    failed({ id: 'in_2', number: 'HP-0002', next_attempt_at: null, needs_customer: true }),
    failed({
      id: 'in_3',
      number: 'HP-0003',
      failure_message: null,
      failure_code: null,
      plan_name: null,
      subscription_id: null,
    }),
  ])
  const row = (await screen.findByText('HP-0001')).closest('tr')!
  expect(within(row).getByText('Insufficient funds').closest('td')?.title).toBe(
    "The customer's card has insufficient funds.",
  )
  expect(within(row).getByText('$40.00')).toBeTruthy()
  expect(within(row).getByText('11/23/2026')).toBeTruthy()
  expect(within(row).getByText('At least 1')).toBeTruthy()
  expect(within(row).getByRole('link', { name: 'Starter Care' }).getAttribute('href')).toContain('open=sub_1')
  const stopped = screen.getByText('HP-0002').closest('tr')!
  expect(within(stopped).getByText('Customer must confirm')).toBeTruthy()
  expect(within(stopped).getAllByText('None')).toHaveLength(2)
  expect(screen.getByText('Stripe gave no reason')).toBeTruthy()
  expect(onSettled).toHaveBeenCalledWith(false)
  await user.click(within(row).getByRole('button', { name: /^Actions for/ }))
  const customer = await screen.findByRole('menuitem', { name: 'View Customer' })
  expect(customer.getAttribute('href')).toContain('open=cus_1')
  expect(screen.getByRole('menuitem', { name: 'View Payment' }).getAttribute('href')).toContain('open=pi_1')
})

test('charges from a row with the dialog of invoices', async () => {
  const method = { id: 'pm_1', type: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099 }
  const paid = failed({ status: 'paid', amount_remaining: 0 })
  const { user } = openTab([failed()])
  const api = mockApi(invoices, {
    getInvoice: () => ({
      invoice: {
        ...failed(),
        ...{ total: 4000, lines: [], more_lines: false, sends_email: true, fetched_at: '2026-11-21T10:00:00Z' },
        subscription: { id: 'sub_1', plan_name: 'Starter Care', status: 'past_due' },
      },
    }),
    getInvoicePayer: () => ({ method }),
    payInvoice: () => ({ success: true as const, invoice: paid }),
  })
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Charge now' }))
  await screen.findByText(/Visa ending in 4242/)
  await user.click(screen.getByRole('button', { name: 'Charge $40.00' }))
  await screen.findByText('Charged invoice HP-0001')
  expect(api.calls().find(({ name }) => name === 'payInvoice')).toMatchObject({
    ...{ params: { id: 'in_1' }, body: { amount: 4000, payment_method: 'pm_1' } },
  })
})

test('filters are sent to the server', async () => {
  const { api, user } = openTab([failed()])
  await screen.findByText('HP-0001')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Retries' }), 'stopped')
  await waitFor(() => expect(api.calls().at(-1)?.query).toMatchObject({ state: 'stopped', sort: 'next_attempt_at' }))
  expect(new URLSearchParams(window.location.search).get('tab')).toBe('dunning')
})

test('says that nothing failed', async () => {
  openTab([])
  expect(await screen.findByText('No failed payments. Invoices appear here after a failed charge.')).toBeTruthy()
})

test('the figures are those of the own currency, with the others beside them', async () => {
  mockApi(dunning, {
    getDunning: () => ({
      currency: 'usd',
      by_currency: [
        { currency: 'usd', at_stake: 812_300, retrying: 3, stopped: 1, recovered: 4900, recovered_invoices: 1 },
        { currency: 'eur', at_stake: 900, retrying: 0, stopped: 1, recovered: 0, recovered_invoices: 0 },
      ],
      ...{
        next_attempt_at: '2026-11-22T09:00:00Z',
        month_start: '2026-11-01T00:00:00Z',
        as_of: '2026-11-21T11:00:00Z',
      },
    }),
  })
  renderPage(<DunningFigures isReady />)
  const card = async (label: string) => (await screen.findByText(label)).closest('article')!
  await screen.findByText('$8,123.00')
  expect((await card('Money at Stake')).textContent).toContain('5 invoices')
  expect((await card('Money at Stake')).textContent).toContain('+ 1 more currency')
  expect((await card('Will Be Retried')).textContent).toContain('3')
  expect((await card('No More Retries')).textContent).toContain('2')
  expect((await card('Recovered This Month')).textContent).toContain('$49.00')
  expect((await card('Recovered This Month')).textContent).toContain('1 invoice')
})
