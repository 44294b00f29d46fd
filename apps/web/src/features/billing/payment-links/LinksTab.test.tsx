import * as billing from '@agency/contract/descriptors/billing'
import * as paymentLinks from '@agency/contract/descriptors/payment-links'
import type { PaymentLink } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aPlan, someStats } from '../../../../test/fixtures.ts'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { BillingPage } from '../BillingPage.tsx'

const at = '2026-11-21T11:00:00Z'
const aLink = (change: Partial<PaymentLink> = {}): PaymentLink => ({
  ...{ id: 'plink_1', name: 'Starter Care', terms: '14 days free, then $29.00 per month', state: 'active' },
  ...{ url: 'https://buy.stripe.com/test_1', currency: 'usd', allow_promotion_codes: true, trial_days: 14 },
  items: [
    {
      ...{ price_id: 'price_1', name: 'Starter Care', quantity: 1, terms: '$29.00 per month' },
      ...{ adjustable: { minimum: 0, maximum: 99 }, is_offered: false },
    },
  ],
  ...{ payments: null, fetched_at: at },
  ...change,
})
const facts = [
  'The customer pays nothing for 14 days, then $29.00 per month until cancelled.',
  'The customer can enter a promotion code.',
]
const prices = [
  { id: 'price_1', plan_name: 'Starter Care', terms: '$29.00 per month', is_recurring: true },
  { id: 'price_2', plan_name: 'Website build', terms: '$890.00 once', is_recurring: false },
]
const preview = { name: 'Starter Care', terms: aLink().terms, due_now: 0, currency: 'usd', facts }

function open(handlers: Parameters<typeof mockApi<typeof paymentLinks>>[1] = {}, search = '', held = allPermissions) {
  mockApi(billing, {
    getStats: () => ({ stats: someStats() }),
    listPlans: () => ({ plans: [aPlan()], currency: 'usd', as_of: at }),
  })
  const api = mockApi(paymentLinks, {
    listPaymentLinks: () => ({ payment_links: [aLink()], has_more: false, total: 1, as_of: at }),
    getPaymentLink: () => ({ payment_link: aLink(), facts }),
    listLinkPrices: () => ({ prices }),
    previewPaymentLink: () => preview,
    createPaymentLink: () => ({ success: true as const, payment_link: aLink() }),
    switchPaymentLink: () => ({ success: true as const, payment_link: aLink({ state: 'off' }), changed: true }),
    ...handlers,
  })
  const route = `/admin/payments?tab=links${search}`
  const view = renderPage(<BillingPage />, { route, session: testSession(held) })
  return { ...view, sent: (name: string) => api.calls().filter((call) => call.name === name) }
}

async function choose(user: ReturnType<typeof open>['user'], item: string) {
  await user.click(await screen.findByRole('button', { name: 'Actions for Starter Care' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

async function choosePrice(user: ReturnType<typeof open>['user'], name: RegExp) {
  await user.click(await screen.findByRole('combobox', { name: 'Plan and price' }))
  await user.click(await screen.findByRole('option', { name }))
}

test('lists what each sells, what a customer pays and whether it works', async () => {
  open()
  const row = (await screen.findByRole('link', { name: /Starter Care/ })).closest('tr')!
  for (const text of ['buy.stripe.com/test_1', '14 days free, then $29.00 per month', 'Active', 'Accepted'])
    expect(within(row).getByText(text)).toBeTruthy()
})

test('says what to do where there are none', async () => {
  open({ listPaymentLinks: () => ({ payment_links: [], has_more: false, total: 0, as_of: at }) })
  expect(await screen.findByText(/^Create a payment link and send it to the customer/)).toBeTruthy()
})

test('says what failed, and reads again', async () => {
  let isDown = true
  const { user } = open({
    listPaymentLinks: () =>
      isDown
        ? problem(500, { code: 'internal', detail: 'down' })
        : { payment_links: [aLink()], has_more: false, total: 1, as_of: at },
  })
  expect(await screen.findByText(/Failed to load Stripe data/)).toBeTruthy()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: /Starter Care/ })).toBeTruthy()
})

test('may be looked at by who may not change it, with the reason', async () => {
  const held = allPermissions.filter((permission) => permission !== 'billing.write')
  const { user } = open({}, '', held)
  const create = await screen.findByRole('button', { name: 'Create Payment Link' })
  expect(create.hasAttribute('disabled')).toBe(true)
  expect(create.getAttribute('aria-description')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Actions for Starter Care' }))
  expect((await screen.findByRole('menuitem', { name: /^Switch off/ })).getAttribute('aria-disabled')).toBe('true')
  expect((await screen.findByRole('menuitem', { name: 'Copy link' })).getAttribute('aria-disabled')).not.toBe('true')
})

test('shows what a customer will pay, and creates it once for a double press', async () => {
  const made = Promise.withResolvers<{ success: true; payment_link: PaymentLink }>()
  const { user, sent } = open({ createPaymentLink: () => made.promise })
  await user.click(await screen.findByRole('button', { name: 'Create Payment Link' }))
  const form = await screen.findByRole('dialog', { name: 'Create Payment Link' })
  await user.click(within(form).getByRole('button', { name: 'Preview' }))
  expect(await within(form).findByText('Choose a price')).toBeTruthy()
  expect(within(form).queryByLabelText('Trial days')).toBeNull()
  await choosePrice(user, /^Website build/)
  expect(within(form).queryByLabelText('Trial days')).toBeNull()
  await choosePrice(user, /^Starter Care/)
  const trial = await within(form).findByLabelText('Trial days')
  await user.clear(trial)
  await user.type(trial, '14')
  await user.click(within(form).getByRole('switch', { name: 'Accept promotion codes' }))
  await user.click(within(form).getByRole('button', { name: 'Preview' }))
  const confirm = await screen.findByRole('alertdialog', { name: 'Create Payment Link' })
  expect(
    within(confirm).getByText(/^The customer pays nothing for 14 days, then \$29\.00 per month until cancelled/),
  ).toBeTruthy()
  await user.dblClick(within(confirm).getByRole('button', { name: 'Create link' }))
  made.resolve({ success: true, payment_link: aLink() })
  expect(await screen.findByText('Created payment link for Starter Care')).toBeTruthy()
  const body = {
    price: 'price_1',
    quantity: 1,
    trial_days: 14,
    adjustable_quantity: false,
    allow_promotion_codes: true,
  }
  expect(sent('previewPaymentLink').map((call) => call.body)).toEqual([body])
  expect(sent('createPaymentLink').map((call) => call.body)).toEqual([body])
  // What was made opens, so that its address can be copied.
  expect(await screen.findByRole('button', { name: 'Copy link' })).toBeTruthy()
})

test('keeps what was typed when somebody goes back, and one key until the outcome is known', async () => {
  let tries = 0
  const { user, sent } = open({
    createPaymentLink: () => {
      tries += 1
      const unknown = { code: 'outcome_unknown' as const, detail: 'Trying again is safe: nothing is saved twice.' }
      return tries === 1 ? problem(504, unknown) : { success: true as const, payment_link: aLink() }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Create Payment Link' }))
  await choosePrice(user, /^Starter Care/)
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  const confirm = () => screen.findByRole('alertdialog', { name: 'Create Payment Link' })
  await user.click(within(await confirm()).getByRole('button', { name: 'Create link' }))
  await within(await confirm()).findByText('Trying again is safe: nothing is saved twice.')
  await user.click(within(await confirm()).getByRole('button', { name: 'Back' }))
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Plan and price' })).value).toBe(
    'Starter Care: $29.00 per month',
  )
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await user.click(within(await confirm()).getByRole('button', { name: 'Create link' }))
  expect(await screen.findByText('Created payment link for Starter Care')).toBeTruthy()
  const keys = sent('createPaymentLink').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('says a refusal of the preview at its field', async () => {
  const archived = 'Archived price: choose another one. No payment link was created.'
  const { user } = open({
    previewPaymentLink: () => problem(409, { code: 'conflict', detail: archived, parameter: 'price' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Create Payment Link' }))
  await choosePrice(user, /^Starter Care/)
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText(new RegExp(archived))).toBeTruthy()
})

test('switches one off after saying what that means, and says when somebody was faster', async () => {
  let changed = true
  const { user, sent } = open({
    switchPaymentLink: () => ({ success: true as const, payment_link: aLink({ state: 'off' }), changed }),
  })
  await choose(user, 'Switch off')
  const dialog = () => screen.findByRole('alertdialog', { name: 'Switch Off Payment Link' })
  expect(within(await dialog()).getByText('Subscriptions that began with it continue.')).toBeTruthy()
  await user.dblClick(within(await dialog()).getByRole('button', { name: 'Switch off' }))
  expect(await screen.findByText('Switched off the payment link for Starter Care')).toBeTruthy()
  expect(sent('switchPaymentLink').map((call) => call.body)).toEqual([{ active: false }])
  changed = false
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await choose(user, 'Switch off')
  await user.click(within(await dialog()).getByRole('button', { name: 'Switch off' }))
  expect(await screen.findByText('The payment link for Starter Care was already off')).toBeTruthy()
})

test('shows what whoever opens it can do, what it sells and its address', async () => {
  open({}, '&open=plink_1')
  const dialog = await screen.findByRole('dialog', { name: /Starter Care/ })
  expect(await within(dialog).findByText('The customer can enter a promotion code.')).toBeTruthy()
  for (const text of ['https://buy.stripe.com/test_1', 'plink_1', 'No limit', '1, can be 1 to 99'])
    expect(within(dialog).getByText(text)).toBeTruthy()
  expect(within(dialog).getByText('(archived)')).toBeTruthy()
})

test('offers no address that does not lead to Stripe, and no switch for one that is used up', async () => {
  const hostile = aLink({ url: 'https://evil.example/', state: 'used_up', payments: { made: 5, most: 5 } })
  const { user } = open({
    listPaymentLinks: () => ({ payment_links: [hostile], has_more: false, total: 1, as_of: at }),
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for Starter Care' }))
  for (const name of [/^Open payment page/, /^Switch on/])
    expect((await screen.findByRole('menuitem', { name })).getAttribute('aria-disabled')).toBe('true')
})

test('says when there is no such link', async () => {
  open(
    { getPaymentLink: () => problem(404, { code: 'not_found', detail: 'Payment link plink_2 does not exist' }) },
    '&open=plink_2',
  )
  expect(await screen.findByRole('dialog', { name: 'Payment link not found' })).toBeTruthy()
})
