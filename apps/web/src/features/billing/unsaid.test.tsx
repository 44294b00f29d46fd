import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import {
  anInvoice,
  aPayment,
  aPlan,
  aSubscription,
  paymentDetails,
  someStats,
  subscriptionDetails,
} from '../../../test/fixtures.ts'
import { mockApi } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { BillingPage } from './BillingPage.tsx'
import { refundBlock } from './row-actions.ts'

const as_of = '2026-11-21T11:00:00Z'
const unpriced = { amount: null, mrr: null, billing_period: null, interval: null, interval_count: null }
const unsaid = { status: 'unknown', refunded_amount: null, refundable_amount: null } as const
const uncaptured = { status: 'uncaptured', refunded_amount: 0, refundable_amount: 0 } as const

beforeEach(() => {
  mockApi(billing, {
    getStats: () => ({ stats: someStats({ unpriced_subscriptions: 3 }) }),
    listPlans: () => ({ plans: [aPlan()], currency: 'usd', as_of }),
    listSubscriptions: () => ({ subscriptions: [aSubscription(unpriced)], has_more: false, total: 1, as_of }),
    getSubscription: () => ({ subscription: subscriptionDetails(unpriced) }),
    listPayments: () => ({
      payments: [aPayment({ id: 'pi_1', ...uncaptured }), aPayment({ id: 'pi_2', ...unsaid })],
      ...{ has_more: false, total: 2, as_of },
    }),
    getPayment: () => ({ payment: paymentDetails({ id: 'pi_2', ...unsaid, invoices: [anInvoice()] }) }),
  })
  mockApi(billingChanges, {})
})

const rowsOf = async () =>
  (await screen.findAllByRole('link', { name: /Ada Lovelace/ })).map((link) => link.closest('tr')!)
const factOf = (dialog: HTMLElement, label: string) =>
  within(dialog).getByText(label, { selector: 'dt' }).nextElementSibling?.textContent

test('a subscription of unknown price shows no amount and no period, and the MRR says what it lacks', async () => {
  renderPage(<BillingPage />, { route: '/admin/subscriptions' })
  const [row] = await rowsOf()
  expect(within(row!).getByText('Unavailable')).toBeTruthy()
  expect(row!.textContent).not.toMatch(/\/ (month|year)/)
  expect(await screen.findByText('3 with unknown price not counted')).toBeTruthy()
})

test('its details say that it is not known', async () => {
  renderPage(<BillingPage />, { route: '/admin/subscriptions?open=sub_1' })
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('Monthly recurring revenue')
  expect(factOf(dialog, 'Amount')).toBe('Unavailable')
  expect(factOf(dialog, 'Monthly recurring revenue')).toBe('Unavailable')
})

test('its item shows no price and no period', async () => {
  const item = { id: 'si_1', price_id: null, product_id: null, name: 'Unknown plan', quantity: 1, unit_amount: null }
  const items = [{ ...item, currency: 'usd', interval: null, interval_count: null }]
  mockApi(billing, { getSubscription: () => ({ subscription: subscriptionDetails({ ...unpriced, items }) }) })
  renderPage(<BillingPage />, { route: '/admin/subscriptions?open=sub_1&view=items' })
  const row = (await screen.findByText('Unknown plan')).closest('tr')!
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['Unknown plan', '1', 'Unavailable', '–'])
})

test('payments are uncaptured or unknown, and can be filtered by the first', async () => {
  const { user } = renderPage(<BillingPage />, { route: '/admin/payments' })
  const [first, second] = await rowsOf()
  expect(within(first!).getByText('Uncaptured')).toBeTruthy()
  expect(within(second!).getByText('Unknown')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Status'), 'Uncaptured')
  expect(new URLSearchParams(window.location.search).get('status')).toBe('uncaptured')
})

test('the details of a payment show no figure that was not said', async () => {
  renderPage(<BillingPage />, { route: '/admin/payments?open=pi_2' })
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('Refundable')
  expect(factOf(dialog, 'Amount')).toBe('$49.00')
  expect(factOf(dialog, 'Refunded')).toBe('Unavailable')
  expect(factOf(dialog, 'Refundable')).toBe('Unavailable')
})

test.each([
  [uncaptured, 'Not captured: no money was taken'],
  [unsaid, 'Amount unknown: refund at Stripe'],
  [{ status: 'refunded', refundable_amount: 0 } as const, 'Fully refunded'],
  [{ status: 'succeeded', refundable_amount: 1 } as const, undefined],
])('why %j cannot be refunded', (payment, reason) => {
  expect(refundBlock(payment)).toBe(reason)
})
