import * as billing from '@agency/contract/descriptors/billing'
import * as coupons from '@agency/contract/descriptors/coupons'
import * as customers from '@agency/contract/descriptors/customers'
import type { Coupon, PromotionCode } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aPlan, someStats } from '../../../../test/fixtures.ts'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { BillingPage } from '../BillingPage.tsx'

const at = '2026-11-21T11:00:00Z'
const aCoupon = (change: Partial<Coupon> = {}): Coupon => ({
  ...{ id: 'SPRING', name: 'Spring offer', terms: '20% off for 3 months', percent_off: 20, amount_off: null },
  ...{ currency: null, duration: 'repeating', duration_in_months: 3, state: 'valid', redeem_by: null, plans: [] },
  ...{ codes: { total: 2, active: 1 }, created_at: at, times_redeemed: 3, max_redemptions: 10, fetched_at: at },
  ...change,
})
const aCode = (change: Partial<PromotionCode> = {}): PromotionCode => ({
  ...{ id: 'promo_1', coupon_id: 'SPRING', code: 'SPRING26', state: 'active', customer: null, expires_at: null },
  ...{
    first_time_only: false,
    minimum: null,
    created_at: at,
    times_redeemed: 1,
    max_redemptions: null,
    fetched_at: at,
  },
  ...change,
})
const codes = [
  aCode({ minimum: { amount: 5000, currency: 'usd' }, first_time_only: true }),
  aCode({ id: 'promo_2', code: 'OLD', state: 'off' }),
  aCode({ id: 'promo_3', code: 'GONE', state: 'expired' }),
]

function open(handlers: Parameters<typeof mockApi<typeof coupons>>[1] = {}, search = '', held = allPermissions) {
  mockApi(billing, {
    getStats: () => ({ stats: someStats() }),
    listPlans: () => ({ plans: [aPlan()], currency: 'usd', as_of: at }),
  })
  mockApi(customers, { listCustomers: () => ({ customers: [], has_more: false, total: 0, as_of: at }) })
  const api = mockApi(coupons, {
    listCoupons: () => ({ coupons: [aCoupon()], has_more: false, total: 1, as_of: at }),
    getCoupon: () => ({ coupon: aCoupon(), codes, running_subscriptions: 2 }),
    createCoupon: () => ({ success: true as const, coupon: aCoupon() }),
    deleteCoupon: () => ({ success: true as const, id: 'SPRING' }),
    createPromotionCode: () => ({ success: true as const, code: aCode() }),
    switchPromotionCode: () => ({ success: true as const, code: aCode({ state: 'off' }) }),
    ...handlers,
  })
  const route = `/admin/subscriptions?tab=coupons${search}`
  const view = renderPage(<BillingPage />, { route, session: testSession(held) })
  return { ...view, sent: (name: string) => api.calls().filter((call) => call.name === name) }
}

async function choose(user: ReturnType<typeof open>['user'], item: string) {
  await user.click(await screen.findByRole('button', { name: 'Actions for Spring offer' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

test('lists what each takes off, how often it was used and its codes', async () => {
  open()
  const row = (await screen.findByRole('link', { name: /Spring offer/ })).closest('tr')!
  for (const text of ['20% off for 3 months', 'Valid', '3 of 10', '1 of 2 active', 'No end'])
    expect(within(row).getByText(text)).toBeTruthy()
})

test('says what to do where there are none', async () => {
  open({ listCoupons: () => ({ coupons: [], has_more: false, total: 0, as_of: at }) })
  expect(await screen.findByText('Create a coupon to give customers a discount.')).toBeTruthy()
})

test('may be looked at by who may not change it, with the reason', async () => {
  const held = allPermissions.filter((permission) => permission !== 'billing.write')
  const { user } = open({}, '', held)
  const create = await screen.findByRole('button', { name: 'Create Coupon' })
  expect(create.hasAttribute('disabled')).toBe(true)
  expect(create.getAttribute('aria-description')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Actions for Spring offer' }))
  for (const name of [/^Add promotion code/, /^Delete/])
    expect((await screen.findByRole('menuitem', { name })).getAttribute('aria-disabled')).toBe('true')
})

test('creates one once for a double press, after saying what is missing', async () => {
  const made = Promise.withResolvers<{ success: true; coupon: Coupon }>()
  const { user, sent } = open({ createCoupon: () => made.promise })
  await user.click(await screen.findByRole('button', { name: 'Create Coupon' }))
  await screen.findByLabelText('Percent off')
  const dialog = screen.getByRole('dialog', { name: 'Create Coupon' })
  const submit = () => within(dialog).getByRole('button', { name: 'Create Coupon' })
  await user.click(submit())
  expect(await within(dialog).findByText('Enter a name')).toBeTruthy()
  expect(within(dialog).getByText('Enter a percentage, such as 20 or 12.5')).toBeTruthy()
  await user.type(within(dialog).getByLabelText('Name'), 'Spring offer')
  await user.click(within(dialog).getByRole('radio', { name: 'Fixed amount' }))
  await user.type(within(dialog).getByLabelText('Amount off'), '12.50')
  await user.click(within(dialog).getByRole('radio', { name: 'A number of months' }))
  await user.type(within(dialog).getByLabelText('Maximum redemptions'), '10')
  await user.dblClick(submit())
  made.resolve({ success: true, coupon: aCoupon() })
  expect(await screen.findByText('Created coupon Spring offer: 20% off for 3 months')).toBeTruthy()
  const calls = sent('createCoupon')
  expect(calls).toHaveLength(1)
  expect(calls[0]?.headers.get('idempotency-key')).toBeTruthy()
  expect(calls[0]?.body).toEqual({
    ...{ name: 'Spring offer', amount_off: 1250, currency: 'usd', duration: 'repeating', duration_in_months: 3 },
    max_redemptions: 10,
  })
})

test('says before the deletion what it touches, and deletes under one key until it is known', async () => {
  let tries = 0
  const { user, sent } = open({
    deleteCoupon: () => {
      tries += 1
      const unknown = { code: 'outcome_unknown' as const, detail: 'Trying again is safe: nothing is saved twice.' }
      return tries === 1 ? problem(504, unknown) : { success: true as const, id: 'SPRING' }
    },
  })
  await choose(user, 'Delete')
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete Coupon' })
  await within(dialog).findByText('2 running subscriptions keep this discount.')
  expect(within(dialog).getByText('1 promotion code stops working: SPRING26.')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Delete coupon' }))
  await within(dialog).findByText('Trying again is safe: nothing is saved twice.')
  await user.click(within(dialog).getByRole('button', { name: 'Delete coupon' }))
  expect(await screen.findByText('Deleted coupon Spring offer')).toBeTruthy()
  const keys = sent('deleteCoupon').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('a deletion whose answer was lost stays before the details, which tell that the coupon is gone', async () => {
  let isGone = false
  const { user, client } = open(
    {
      getCoupon: () =>
        isGone ? problem(404, { code: 'not_found' }) : { coupon: aCoupon(), codes, running_subscriptions: 2 },
      deleteCoupon: () => problem(504, { code: 'outcome_unknown' as const, detail: 'Trying again is safe.' }),
    },
    '&open=SPRING',
  )
  const details = await screen.findByRole('dialog', { name: /^Spring offer/ })
  await user.click(await within(details).findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const confirm = await screen.findByRole('alertdialog', { name: 'Delete Coupon' })
  await within(confirm).findByText('2 running subscriptions keep this discount.')
  await user.click(within(confirm).getByRole('button', { name: 'Delete coupon' }))
  await within(confirm).findByText('Trying again is safe.')
  isGone = true
  await client.refetchQueries()
  expect(await screen.findByRole('heading', { name: 'Coupon not found', hidden: true })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Delete coupon' }).getAttribute('aria-disabled')).toBeNull()
})

test('a deletion waits for what it touches once, and stays possible while that is read again', async () => {
  let answer = Promise.withResolvers<void>()
  const details = { coupon: aCoupon(), codes: [aCode()], running_subscriptions: 2 }
  const { user, client } = open({ getCoupon: () => answer.promise.then(() => details) })
  await choose(user, 'Delete')
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete Coupon' })
  const remove = within(dialog).getByRole('button', { name: 'Delete coupon' })
  expect(remove.getAttribute('aria-disabled')).toBe('true')
  answer.resolve()
  await waitFor(() => expect(remove.getAttribute('aria-disabled')).toBeNull())
  answer = Promise.withResolvers<void>()
  const again = client.refetchQueries()
  await waitFor(() => expect(client.isFetching()).toBeGreaterThan(0))
  expect(remove.getAttribute('aria-disabled')).toBeNull()
  expect(within(dialog).getByText('2 running subscriptions keep this discount.')).toBeTruthy()
  answer.resolve()
  await again
})

test('adds a promotion code with its limits, and tells a refusal at its field', async () => {
  const taken = 'The code SPRING26 is in use already: choose another one. No code was created.'
  let isTaken = true
  const { user, sent } = open({
    createPromotionCode: () =>
      isTaken
        ? problem(409, { code: 'conflict', detail: taken, parameter: 'code' })
        : { success: true as const, code: aCode() },
  })
  await choose(user, 'Add promotion code')
  await screen.findByLabelText('Code')
  const dialog = screen.getByRole('dialog', { name: 'Add Promotion Code' })
  await user.type(within(dialog).getByLabelText('Code'), 'SPRING26')
  await user.type(within(dialog).getByLabelText('Minimum order in USD'), '50')
  await user.click(within(dialog).getByRole('switch', { name: 'First payment of a customer only' }))
  const submit = within(dialog).getByRole('button', { name: 'Add promotion code' })
  await user.click(submit)
  expect(await within(dialog).findByText(new RegExp(taken))).toBeTruthy()
  isTaken = false
  await user.click(submit)
  expect(await screen.findByText('Added promotion code SPRING26 to Spring offer')).toBeTruthy()
  expect(sent('createPromotionCode').at(-1)?.body).toEqual({
    ...{ code: 'SPRING26', first_time_only: true, minimum: { amount: 5000, currency: 'usd' } },
  })
})

test('lists the codes of an open coupon, and switches them off and on', async () => {
  const { user, sent } = open({}, '&open=SPRING')
  const dialog = await screen.findByRole('dialog', { name: /Spring offer/ })
  const row = async (code: string) => (await within(dialog).findByText(code)).closest('tr')!
  expect((await row('SPRING26')).textContent).toContain('First payment only · From $50.00')
  expect((await row('GONE')).textContent).toContain('Expired')
  expect(within(dialog).getByRole('button', { name: 'Switch on GONE' }).hasAttribute('disabled')).toBe(true)
  await user.click(within(dialog).getByRole('button', { name: 'Switch off SPRING26' }))
  expect(await screen.findByText('Switched off SPRING26')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Switch on OLD' }))
  await waitFor(() => expect(sent('switchPromotionCode')).toHaveLength(2))
  expect(sent('switchPromotionCode').map(({ body }) => body)).toEqual([{ active: false }, { active: true }])
})
