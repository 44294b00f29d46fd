import * as invoices from '@agency/contract/descriptors/invoices'
import type { SavedMethod } from '@agency/contract/types'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aPayment } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { PaymentsTab } from './PaymentsTab.tsx'

const visa: SavedMethod = {
  ...{ id: 'pm_1', type: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099, is_default: true },
}
const old: SavedMethod = { ...visa, id: 'pm_2', last4: '0069', exp_year: 2020, is_default: false }
const debit: SavedMethod = {
  ...{ id: 'pm_3', type: 'sepa_debit', brand: null, last4: '3000', exp_month: null, exp_year: null, is_default: false },
}

const open = (methods: SavedMethod[], payments = [aPayment({ card: visa })]) => {
  mockApi(invoices, { listPaymentMethods: () => ({ methods }) })
  return renderPage(<PaymentsTab customerId="cus_1" payments={payments} />)
}

test('shows what a customer saved, marks what has expired, and lists what was paid', async () => {
  open([visa, old, debit])
  const saved = await screen.findByRole('region', { name: 'Saved payment methods' })
  const [first, second, third] = await within(saved).findAllByRole('listitem')
  expect(first?.textContent).toBe('Visa •••• 4242expires 12/2099Default')
  expect(second?.textContent).toBe('Visa •••• 0069Expired 12/2020')
  expect(third?.textContent).toBe('SEPA debit •••• 3000')
  const row = screen.getByRole('link', { name: /\$49\.00/ }).closest('tr')!
  expect(within(row).getByText('Visa •••• 4242')).toBeTruthy()
  expect(within(row).getByText('Succeeded')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'All payments of this customer' }).getAttribute('href')).toBe(
    '/admin/payments?customer=cus_1',
  )
})

test('says that nothing was saved, and nothing paid', async () => {
  open([], [])
  expect(await screen.findByText('No saved card or account.')).toBeTruthy()
  expect(screen.getByText('No payments yet.')).toBeTruthy()
})

test('keeps the payments where Stripe does not answer', async () => {
  mockApi(invoices, { listPaymentMethods: () => problem(503, { code: 'provider_unavailable' }) })
  renderPage(<PaymentsTab customerId="cus_1" payments={[aPayment()]} />)
  expect(await screen.findByRole('button', { name: 'Try Again' })).toBeTruthy()
  expect(screen.getByText('$49.00')).toBeTruthy()
})

test('asks nothing for whoever may not see payments', async () => {
  const api = mockApi(invoices, {})
  renderPage(<PaymentsTab customerId="cus_1" payments={[]} />, { session: testSession(['customers.read']) })
  expect(await screen.findByText('You may not see payments')).toBeTruthy()
  expect(api.calls()).toEqual([])
})
