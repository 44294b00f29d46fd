import * as billing from '@agency/contract/descriptors/billing'
import * as newSubscriptions from '@agency/contract/descriptors/new-subscriptions'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aPlan, aSubscription } from '../../../../test/fixtures.ts'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { renderPage } from '../../../../test/render.tsx'
import { NewSubscriptionDialog } from './NewSubscriptionDialog.tsx'

afterEach(() => void vi.useRealTimers())

const visa = { id: 'pm_1', type: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099, is_default: true }
const coupon = { coupon_id: 'half', name: 'Half price', percent_off: 50, amount_off: null, currency: null }
const facts = {
  customer: { id: 'cus_1', name: 'Ada Lovelace', email: 'ada@example.com' as string | null },
  ...{ refusal: null as string | null, currency: 'usd', methods: [visa], sends_email: true },
  coupons: [{ ...coupon, duration: 'once', end: null }],
  promotion_codes: [{ ...coupon, id: 'promo_1', code: 'SPRING', duration: 'forever', end: null }],
}
const preview = {
  plan_name: 'Business',
  first_invoice: {
    ...{ currency: 'usd', subtotal: 9800, total: 4900, amount_due: 4900, charged_now: true, has_more_lines: false },
    charged_at: '2026-11-21T10:00:00Z',
    lines: [{ description: '2 × Business', amount: 9800, is_proration: false, period_start: null, period_end: null }],
  },
  trial_ends_at: null as string | null,
  full_from: null as string | null,
}
const [price] = aPlan().prices

function openDialog(handlers: Parameters<typeof mockApi<typeof newSubscriptions>>[1] = {}) {
  mockApi(billing, {
    listPlans: () => ({ plans: [aPlan()], currency: 'usd', as_of: null }),
    listMoneyActions: () => ({ actions: [] }),
  })
  const api = mockApi(newSubscriptions, {
    getNewSubscription: () => facts,
    previewSubscription: () => preview,
    createSubscription: () => ({ success: true as const, subscription: aSubscription() }),
    ...handlers,
  })
  const onClose = vi.fn()
  const view = renderPage(<NewSubscriptionDialog customerId="cus_1" onClose={onClose} />)
  return { ...view, onClose, sent: (name: string) => api.calls().filter((call) => call.name === name) }
}

async function choose(user: ReturnType<typeof openDialog>['user']) {
  await user.selectOptions(await screen.findByLabelText('Plan and price'), price!.id)
}

test('previews what the card is charged, and starts exactly that, once for a double click', async () => {
  const started = { success: true as const, subscription: aSubscription() }
  const { promise, resolve } = Promise.withResolvers<typeof started>()
  const { user, sent, onClose } = openDialog({ createSubscription: () => promise })
  await choose(user)
  await user.clear(screen.getByLabelText('Quantity'))
  await user.type(screen.getByLabelText('Quantity'), '2')
  await user.selectOptions(screen.getByLabelText('Coupon'), 'half')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'New Subscription' })
  expect(dialog.textContent).toContain('Charges Ada Lovelace $49.00 now: Visa •••• 4242.')
  expect(dialog.textContent).toContain('2 × Business')
  await user.dblClick(screen.getByRole('button', { name: 'Start and charge $49.00' }))
  resolve(started)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const calls = sent('createSubscription')
  expect(calls).toHaveLength(1)
  expect(calls[0]?.headers.get('idempotency-key')).toBeTruthy()
  expect(calls[0]?.body).toEqual({
    ...{ customer: 'cus_1', price: price!.id, quantity: 2, trial_days: 0, coupon: 'half', collection: 'card' },
    ...{ payment_method: 'pm_1', days_until_due: 30, expected_amount_due: 4900 },
  })
})

test('takes a promotion code in place of a coupon', async () => {
  const { user, sent } = openDialog()
  await choose(user)
  await user.selectOptions(screen.getByLabelText('Coupon'), 'half')
  await user.selectOptions(screen.getByLabelText('Promotion code'), 'SPRING (50% off, every invoice)')
  expect((screen.getByLabelText('Coupon') as HTMLSelectElement).value).toBe('')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByRole('alertdialog', { name: 'New Subscription' })
  const body = sent('previewSubscription')[0]?.body
  expect(body).toMatchObject({ promotion_code: 'promo_1' })
  expect(body).not.toHaveProperty('coupon')
})

test('bills by invoice where that is chosen, and says that a trial costs nothing yet', async () => {
  const trial = { ...preview, trial_ends_at: '2026-12-05T10:00:00Z' }
  const { user, sent } = openDialog({ previewSubscription: () => trial })
  await choose(user)
  await user.click(screen.getByRole('radio', { name: 'Email an invoice with a payment link' }))
  await user.clear(screen.getByLabelText('Days until due'))
  await user.type(screen.getByLabelText('Days until due'), '14')
  await user.clear(screen.getByLabelText('Trial days'))
  await user.type(screen.getByLabelText('Trial days'), '14')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByText('Nothing is charged before the trial ends on 12/5/2026.')
  await user.click(screen.getByRole('button', { name: 'Back' }))
  expect(((await screen.findByLabelText('Trial days')) as HTMLInputElement).value).toBe('14')
  expect(sent('previewSubscription')[0]?.body).toMatchObject({
    collection: 'invoice',
    days_until_due: 14,
    trial_days: 14,
  })
})

test('full invoices may begin next month: what is charged for the days until then is an upper limit', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 10) })
  const part = { ...preview, full_from: '2026-12-01T12:00:00Z' }
  const { user, sent } = openDialog({ previewSubscription: () => part })
  await choose(user)
  await user.selectOptions(screen.getByLabelText('First full invoice'), '12/1/2026, in part until then')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'New Subscription' })
  expect(dialog.textContent).toContain('The first invoice is for the days until 12/1/2026, the next one in full.')
  expect(dialog.textContent).toContain('Charges Ada Lovelace up to $49.00 now')
  await user.click(screen.getByRole('button', { name: 'Start and charge up to $49.00' }))
  await waitFor(() => expect(sent('createSubscription')[0]?.body).toMatchObject({ billing_anchor: '2026-12-01' }))
})

test.each([
  ['in a trial', Date.UTC(2026, 10, 21), '14'],
  ['on the first of a month', Date.UTC(2026, 10, 1), '0'],
])('%s there is no other day for it', async (_name, now, days) => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  const { user } = openDialog()
  await choose(user)
  await user.clear(screen.getByLabelText('Trial days'))
  await user.type(screen.getByLabelText('Trial days'), days)
  expect(screen.queryByLabelText('First full invoice')).toBeNull()
})

test('says what is missing, and asks for nothing', async () => {
  const { user, sent } = openDialog()
  await screen.findByLabelText('Plan and price')
  await user.clear(screen.getByLabelText('Quantity'))
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText('Choose a price', { selector: 'p' })).toBeTruthy()
  expect(screen.getByText('Enter a whole number')).toBeTruthy()
  expect(sent('previewSubscription')).toEqual([])
})

test('a card that is refused is told in the dialog', async () => {
  const detail = "The customer's card has insufficient funds. No subscription was created."
  const { user, onClose } = openDialog({
    createSubscription: () => problem(422, { code: 'provider_invalid', detail }),
  })
  await choose(user)
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await user.click(await screen.findByRole('button', { name: 'Start and charge $49.00' }))
  expect(await screen.findByText(detail)).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

test('tells why there can be none', async () => {
  openDialog({ getNewSubscription: () => ({ ...facts, refusal: 'The customer was deleted at Stripe' }) })
  expect(await screen.findByText('The customer was deleted at Stripe.')).toBeTruthy()
})
