import * as billing from '@agency/contract/descriptors/billing'
import * as invoices from '@agency/contract/descriptors/invoices'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  anInvoice,
  aPayment,
  aPlan,
  aSubscription,
  paymentDetails,
  someStats,
  subscriptionDetails,
} from '../../../test/fixtures.ts'
import { type MockCall, mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../test/render.tsx'
import { BillingPage } from './BillingPage.tsx'

const query = () => Object.fromEntries(new URLSearchParams(window.location.search))
const callsOf = (api: { calls: () => MockCall[] }, name: string) => api.calls().filter((call) => call.name === name)

function mockBilling() {
  return mockApi(billing, {
    getStats: () => ({ stats: someStats() }),
    listPlans: () => ({ plans: [aPlan()], currency: 'usd', as_of: '2026-11-21T11:00:00Z' }),
    listSubscriptions: () => ({
      subscriptions: [aSubscription()],
      has_more: false,
      total: 57,
      as_of: '2026-11-21T11:00:00Z',
    }),
    listPayments: () => ({ payments: [aPayment()], has_more: false, total: 480, as_of: '2026-11-21T11:00:00Z' }),
    getSubscription: () => ({ subscription: subscriptionDetails() }),
    getPayment: () => ({ payment: paymentDetails() }),
  })
}
function open(route: string) {
  mockApi(invoices, { getSubscriptionPayer: () => ({ method: null }) })
  const api = mockBilling()
  return { api, ...renderPage(<BillingPage />, { route }) }
}
const failure = async (text: RegExp) => (await screen.findByText(text)).closest<HTMLElement>('[role=alert]')!

test('shows the rows from one call and the cards after them', async () => {
  const { api } = open('/admin/subscriptions')
  const row = (await screen.findByRole('link', { name: /Ada Lovelace/ })).closest('tr')!
  expect(within(row).getByText('Business')).toBeTruthy()
  expect(within(row).getByText('$49.00 / month')).toBeTruthy()
  expect(within(row).getByText('12/2/2026')).toBeTruthy()
  expect(api.calls()[0]).toMatchObject({ name: 'listSubscriptions', query: { limit: '25', sort: '-created_at' } })
  await screen.findByText('42 active · 3 trialing · 2 past due')
  expect(
    api
      .calls()
      .slice(1)
      .map((call) => call.name)
      .toSorted(),
  ).toEqual(['getStats', 'listPlans'])
})

test('the cards show revenue, MRR, active subscriptions and failures, currencies apart, with the rule in words', async () => {
  open('/admin/subscriptions')
  await screen.findByText('$12,345.67')
  const card = (label: string) => screen.getByText(label).closest('article')!
  expect(within(card('Monthly Recurring Revenue')).getByText('$987.00')).toBeTruthy()
  expect(
    within(card('Monthly Recurring Revenue')).getByText(/Yearly prices ÷ 12, minus permanent discounts/),
  ).toBeTruthy()
  expect(card('Total Revenue').textContent).toContain('+ 1 more currency')
  expect(card('Total Revenue').textContent).toContain('€450.00 EUR')
  expect(within(card('Active Subscriptions')).getByText('42')).toBeTruthy()
  expect(within(card('Failed Payments')).getByText('4')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Failed Payments' }).getAttribute('href')).toBe(
    '/admin/payments?status=failed',
  )
})

test('the tabs carry counts and URLs of their own', async () => {
  const { user } = open('/admin/subscriptions')
  await screen.findByText('42 active · 3 trialing · 2 past due')
  const tabs = within(screen.getByRole('navigation', { name: 'Billing' }))
  expect(tabs.getAllByRole('link').map((tab) => [tab.textContent, tab.getAttribute('href')])).toEqual([
    ['Subscriptions57', '/admin/subscriptions'],
    ['Payments480', '/admin/payments'],
    ['Dunning', '/admin/payments?tab=dunning'],
    ['Plans5', '/admin/subscriptions?tab=plans'],
    ['Coupons', '/admin/subscriptions?tab=coupons'],
    ['Payment Links', '/admin/payments?tab=links'],
  ])
  await user.click(tabs.getByRole('link', { name: /Plans/ }))
  expect(await screen.findByRole('heading', { name: 'Business' })).toBeTruthy()
  await user.click(tabs.getByRole('link', { name: /Payments/ }))
  expect(await screen.findByRole('table', { name: 'Payments' })).toBeTruthy()
})

test.each([
  ['/admin/subscriptions', 'listSubscriptions', 'subscriptions'],
  ['/admin/payments', 'listPayments', 'payments'],
  ['/admin/subscriptions?tab=plans', 'listPlans', 'plans'],
] as const)('%s says which fetch failed, and keeps nothing invented', async (route, call, what) => {
  mockBilling()
  mockApi(billing, { [call]: () => problem(503, { code: 'unavailable', detail: 'Down for a moment' }) })
  const page = renderPage(<BillingPage />, { route })
  const alert = await failure(/^Failed to load Stripe data/)
  expect(alert.textContent).toContain(
    `Failed to load Stripe data: Failed to fetch ${what}: Service Unavailable. Please check the console for details.`,
  )
  expect(alert.textContent).toContain('Down for a moment')
  expect(page.queryByText(/^No /)).toBeNull()
})

test('a failed refresh keeps the rows with their age', async () => {
  const { client } = open('/admin/payments')
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  mockApi(billing, { listPayments: () => problem(429, { code: 'too_many_requests' }) })
  await client.invalidateQueries({ queryKey: [billing.listPayments.path] })
  const alert = await failure(/Failed to fetch payments: Too Many Requests/)
  expect(within(alert).getByText('now')).toBeTruthy()
  expect(screen.getByRole('link', { name: /Ada Lovelace/ })).toBeTruthy()
})

test('cards that could not be loaded are zero and marked', async () => {
  mockBilling()
  mockApi(billing, { getStats: () => problem(500, { code: 'internal' }) })
  renderPage(<BillingPage />, { route: '/admin/subscriptions' })
  await failure(/Failed to fetch stats: Internal Server Error/)
  const card = screen.getByText('Active Subscriptions').closest('article')!
  expect(within(card).getByText('0')).toBeTruthy()
  expect(within(card).getByText('Unavailable')).toBeTruthy()
  expect(await screen.findByRole('link', { name: /Ada Lovelace/ })).toBeTruthy()
})

test('asks for nothing that the actor may not see', async () => {
  const api = mockBilling()
  renderPage(<BillingPage />, { route: '/admin/payments', session: testSession(['customers.read']) })
  expect(screen.getByText('Needs the permission billing.read')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls()).toEqual([])
})

test('filters subscriptions by status and plan through the URL, from the first page', async () => {
  const { user, api } = open('/admin/subscriptions?after=sub_9&at=25')
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'past_due')
  await screen.findByRole('option', { name: 'Business' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Plan' }), 'prod_1')
  expect(query()).toEqual({ status: 'past_due', plan: 'prod_1' })
  await waitFor(() =>
    expect(callsOf(api, 'listSubscriptions').at(-1)?.query).toEqual({
      limit: '25',
      status: 'past_due',
      plan: 'prod_1',
      sort: '-created_at',
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Remove filter Status: Past due' }))
  expect(query()).toEqual({ plan: 'prod_1' })
})

test('says that nothing matches, or that there is nothing yet', async () => {
  mockBilling()
  mockApi(billing, { listPayments: () => ({ payments: [], has_more: false, total: 0, as_of: '2026-11-21T11:00:00Z' }) })
  const { user } = renderPage(<BillingPage />, { route: '/admin/payments?status=failed' })
  expect(await screen.findByText('No payments match your filters')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText(/No payments yet/)).toBeTruthy()
})

test('filters payments by status, dispute and date', async () => {
  const { user, api } = open('/admin/payments?created_from=2026-11-01&created_to=2026-11-21')
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'disputed')
  await waitFor(() =>
    expect(callsOf(api, 'listPayments').at(-1)?.query).toEqual({
      limit: '25',
      disputed: 'true',
      created_from: '2026-11-01',
      created_to: '2026-11-21',
      sort: '-created_at',
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Remove filter From 11/1/2026' }))
  expect(query()).toEqual({ created_to: '2026-11-21', status: 'disputed' })
})

test('marks payments that are partly refunded or disputed', async () => {
  mockBilling()
  mockApi(billing, {
    listPayments: () => ({
      payments: [
        aPayment({ refunded_amount: 900, refundable_amount: 4000, disputed: true, dispute_status: 'needs_response' }),
      ],
      has_more: false,
      total: null,
      as_of: '2026-11-21T11:00:00Z',
    }),
  })
  renderPage(<BillingPage />, { route: '/admin/payments' })
  const row = (await screen.findByRole('link', { name: /Ada Lovelace/ })).closest('tr')!
  expect(within(row).getByText('Succeeded')).toBeTruthy()
  expect(within(row).getByText('Partially refunded')).toBeTruthy()
  expect(within(row).getByText('Disputed').title).toBe('Needs response')
})

test('the row menu says which permission is missing', async () => {
  mockBilling()
  const { user } = renderPage(<BillingPage />, {
    route: '/admin/subscriptions',
    session: testSession(allPermissions.filter((permission) => permission !== 'billing.write')),
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for Ada Lovelace' }))
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
  expect(items.map((item) => item.firstChild?.textContent)).toEqual([
    'View Details',
    'Send Invoice',
    'Issue Refund',
    'Change Plan',
    'Pause Collection',
    'Cancel Subscription',
    'Suspend Account',
  ])
  for (const item of items.slice(1, 6)) {
    expect(item.textContent).toContain('Needs the permission billing.write')
    expect(item.getAttribute('aria-disabled')).toBe('true')
  }
})

test("a subscription's details show items, discounts and invoices with links to the provider only", async () => {
  mockBilling()
  mockApi(billing, {
    getSubscription: () => ({
      subscription: subscriptionDetails({
        discounts: [
          {
            coupon_id: 'c1',
            name: 'Launch',
            percent_off: 12.5,
            amount_off: null,
            currency: null,
            duration: 'forever',
            end: null,
          },
        ],
        invoices: [
          anInvoice(),
          anInvoice({
            id: 'in_2',
            number: 'AE-0008',
            hosted_invoice_url: 'javascript:alert(1)',
            invoice_pdf: 'http://evil.example/x',
          }),
        ],
      }),
    }),
  })
  const { user } = renderPage(<BillingPage />, { route: '/admin/subscriptions?open=sub_1&view=items' })
  const dialog = await screen.findByRole('dialog', { name: /Business/ })
  expect(await within(dialog).findByText('Launch')).toBeTruthy()
  expect(within(dialog).getByText('12.5%')).toBeTruthy()
  await user.click(within(dialog).getByRole('tab', { name: 'Invoices' }))
  expect(query()['view']).toBe('invoices')
  expect(within(dialog).getByRole('link', { name: 'AE-0007' }).getAttribute('href')).toBe(
    'https://invoice.stripe.com/i/in_1',
  )
  expect(within(dialog).getByText('AE-0008').closest('a')).toBeNull()
  expect(within(dialog).queryByRole('link', { name: /PDF of invoice AE-0008/ })).toBeNull()
})

test("a payment's details show refunds, disputes, attempts and actions", async () => {
  mockBilling()
  mockApi(billing, {
    getPayment: () => ({
      payment: paymentDetails({
        refunds: [
          {
            id: 're_1',
            payment_id: 'pi_1',
            amount: 900,
            currency: 'usd',
            status: 'failed',
            reason: 'duplicate',
            failure_reason: 'lost_or_stolen_card',
            created_at: '2026-11-03T10:00:00Z',
          },
        ],
        disputes: [
          {
            id: 'dp_1',
            payment_id: 'pi_1',
            amount: 4900,
            currency: 'usd',
            status: 'under_review',
            reason: 'product_not_received',
            evidence_due_by: null,
            created_at: '2026-11-05T10:00:00Z',
          },
        ],
        actions: [
          {
            id: 'a1',
            kind: 'refund',
            target_id: 'pi_1',
            state: 'unknown',
            amount: 900,
            currency: 'usd',
            actor_name: '<b>Admin</b>',
            created_at: '2026-11-03T10:00:00Z',
            error: null,
          },
        ],
      }),
    }),
  })
  const { user } = renderPage(<BillingPage />, { route: '/admin/payments?open=pi_1&view=refunds' })
  const dialog = await screen.findByRole('dialog', { name: /\$49\.00/ })
  expect((await within(dialog).findByText('Failed')).title).toBe('Lost or stolen card')
  expect(within(dialog).getByText('Under review')).toBeTruthy()
  await user.click(within(dialog).getByRole('tab', { name: 'Actions' }))
  expect(within(dialog).getByText('Outcome unknown')).toBeTruthy()
  expect(within(dialog).getByText('<b>Admin</b>')).toBeTruthy()
})

test('plans show the real price, and the one derived from it as such', async () => {
  mockBilling()
  mockApi(billing, {
    listPlans: () => ({
      currency: 'usd',
      as_of: '2026-11-21T11:00:00Z',
      plans: [
        aPlan(),
        aPlan({
          id: 'prod_2',
          name: 'Metered',
          active: true,
          active_count: 1,
          prices: [
            {
              id: 'p2',
              currency: 'usd',
              interval: 'month',
              interval_count: 1,
              amount: null,
              monthly_price: null,
              yearly_price: null,
              derived: null,
              billing_scheme: 'per_unit',
              usage_type: 'metered',
              active: true,
            },
          ],
        }),
        aPlan({ id: 'prod_3', name: 'Old', active: false, active_count: 30, prices: [] }),
      ],
    }),
  })
  renderPage(<BillingPage />, { route: '/admin/subscriptions?tab=plans' })
  await screen.findByRole('heading', { name: 'Business' })
  const cards = within(screen.getByRole('list', { name: 'Plans' })).getAllByRole('article')
  expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(['Business', 'Metered', 'Old'])
  expect(cards[0]?.textContent).toContain('Monthly$49.00')
  expect(cards[0]?.textContent).toContain('Yearly≈ $588.00')
  expect(within(cards[0]!).getByRole('link', { name: '20' }).getAttribute('href')).toBe(
    '/admin/subscriptions?plan=prod_1',
  )
  expect(cards[1]?.textContent).toContain('Priced by usage per month')
  expect(within(cards[2]!).getByText('Archived')).toBeTruthy()
})

test.each([
  ['/admin/subscriptions', 'past_due', 'succeeded', true],
  ['/admin/subscriptions', 'active', 'failed', false],
  ['/admin/payments', 'active', 'failed', true],
  ['/admin/payments', 'past_due', 'succeeded', false],
] as const)('what is due is collected from its row: %s, %s, %s', async (route, subscription, payment, isOffered) => {
  mockBilling()
  const page = { has_more: false, total: 1, as_of: '2026-11-21T11:00:00Z' }
  mockApi(billing, {
    listSubscriptions: () => ({ subscriptions: [aSubscription({ status: subscription })], ...page }),
    listPayments: () => ({ payments: [aPayment({ status: payment, refundable_amount: 0 })], ...page }),
  })
  const { user } = renderPage(<BillingPage />, { route })
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
  const labels = items.map((item) => item.firstChild?.textContent)
  const collecting = ['Charge now', 'Mark as paid', 'Copy payment link', 'Email payment link']
  expect(labels.filter((label) => collecting.includes(label ?? ''))).toEqual(isOffered ? collecting : [])
})
