import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Payment } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { anAction, aPayment, aReach, aRefund, aSubscription, paymentDetails } from '../../../test/fixtures.ts'
import { type MockCall, mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { RefundPaymentDialog } from './RefundPaymentDialog.tsx'
import { RefundSubscriptionDialog } from './RefundSubscriptionDialog.tsx'

type RefundHandler = (
  call: MockCall<typeof billing.refundPayment>,
) => ReturnType<typeof done> | Response | Promise<never>

const done = (part: Parameters<typeof aRefund>[0] = {}) => ({
  success: true as const,
  payment: aPayment({ status: 'refunded' as const, refunded_amount: 4900, refundable_amount: 0 }),
  refund: aRefund(part),
})

function open(refund: RefundHandler, payment: Payment = aPayment()) {
  const api = mockApi(billing, {
    getPayment: () => ({ payment: paymentDetails(payment) }),
    refundPayment: refund,
    listMoneyActions: () => ({ actions: [] }),
  })
  mockApi(billingChanges, { previewRefund: ({ query }) => ({ reach: reachOf(Number(query['amount'])) }) })
  const onClose = vi.fn()
  const page = renderPage(<RefundPaymentDialog payment={payment} onClose={onClose} />)
  const refunds = () => api.calls().filter((call) => call.name === 'refundPayment')
  return { ...page, refunds, onClose }
}
const reachOf = (amount: number) => {
  const before = { status: 'succeeded' as const, refunded_amount: 0, refundable_amount: 4900 }
  const after = { ...before, refunded_amount: amount, refundable_amount: 4900 - amount }
  return aReach({ action: 'refund', payment: { id: 'pi_1', amount: 4900, currency: 'usd', before, after } })
}
const keyOf = (call: MockCall | undefined) => call?.headers.get('idempotency-key')
const dialog = () => screen.getByRole('alertdialog', { name: 'Refund payment' })

test('refunds all of it by default, in the words of the button', async () => {
  const { user, refunds, onClose } = open(() => done())
  expect(dialog().textContent).toContain('Ada Lovelace paid $49.00 on 11/2/2026 (Visa •••• 4242).')
  expect(document.activeElement).not.toBe(screen.getByRole('button', { name: 'Refund $49.00' }))
  await screen.findByText('Revenue falls by $49.00; $0.00 of the payment remain.')
  expect(dialog().textContent).toContain('The subscription Business continues and is billed as before.')
  expect(dialog().textContent).toContain('This cannot be undone.')
  await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
  expect(await screen.findByText('Refunded $49.00 to Ada Lovelace')).toBeTruthy()
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(refunds()).toHaveLength(1)
  expect(refunds()[0]).toMatchObject({ params: { id: 'pi_1' }, body: { amount: 4900 } })
  expect(keyOf(refunds()[0])).toMatch(/^[0-9a-f-]{32,36}$/)
})

test('says so when the payment could not be read again', async () => {
  const { user } = open(() => ({ ...done(), payment_read: false }))
  await user.click(await screen.findByRole('button', { name: 'Refund $49.00' }))
  const told = 'Refunded $49.00 to Ada Lovelace. Stripe has not confirmed the payment yet. The figures update soon.'
  expect(await screen.findByText(told)).toBeTruthy()
})

test('refunds a part, exactly, with its reason', async () => {
  const { user, refunds } = open(() => done({ amount: 1230 }))
  await user.click(screen.getByRole('radio', { name: 'Partial' }))
  const amount = screen.getByRole('textbox', { name: 'Amount' })
  await user.clear(amount)
  await user.type(amount, '12.3')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Reason' }), 'duplicate')
  await user.click(screen.getByRole('button', { name: 'Refund $12.30' }))
  expect(await screen.findByText('Refunded $12.30 to Ada Lovelace')).toBeTruthy()
  expect(refunds()[0]?.body).toEqual({ amount: 1230, reason: 'duplicate' })
})

test('offers an empty field with the focus, and a quarter or half of what is left', async () => {
  const { user, refunds } = open(() => done({ amount: 1225 }))
  await user.click(screen.getByRole('radio', { name: 'Partial' }))
  const amount = screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' })
  expect(amount.value).toBe('')
  expect(document.activeElement).toBe(amount)
  expect(amount.getAttribute('aria-invalid')).toBe('false')
  await user.click(screen.getByRole('button', { name: 'Refund' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Enter an amount')
  expect(refunds()).toEqual([])
  await user.click(screen.getByRole('button', { name: '50%' }))
  expect(amount.value).toBe('24.50')
  await user.click(screen.getByRole('button', { name: '25%' }))
  await user.click(screen.getByRole('button', { name: 'Refund $12.25' }))
  await waitFor(() => expect(refunds()[0]?.body).toEqual({ amount: 1225 }))
})

test('half of what is left is one press', async () => {
  const { user, refunds } = open(() => done({ amount: 2450 }))
  await user.click(screen.getByRole('button', { name: '50%' }))
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Partial' }).checked).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Refund $24.50' }))
  await waitFor(() => expect(refunds()[0]?.body).toEqual({ amount: 2450 }))
})

test('refuses more than the rest inline and sends nothing', async () => {
  const { user, refunds } = open(() => done(), aPayment({ refunded_amount: 900, refundable_amount: 4000 }))
  await user.click(screen.getByRole('radio', { name: 'Partial' }))
  const amount = screen.getByRole('textbox', { name: 'Amount' })
  await user.clear(amount)
  await user.type(amount, '40.01')
  expect(screen.getByText('At most $40.00 can still be refunded')).toBeTruthy()
  expect(amount.getAttribute('aria-invalid')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Refund' }))
  expect(refunds()).toEqual([])
})

test('a double click is one refund', async () => {
  let answer = (_: unknown) => {}
  const gate = new Promise((resolve) => {
    answer = resolve
  })
  const { user, refunds } = open(() => gate.then(() => done()) as Promise<never>)
  await user.dblClick(screen.getByRole('button', { name: 'Refund $49.00' }))
  await user.keyboard('{Enter}')
  expect(refunds()).toHaveLength(1)
  answer(undefined)
  expect(await screen.findByText('Refunded $49.00 to Ada Lovelace')).toBeTruthy()
})

test('shows what the server refused, and sends the next try as a new action', async () => {
  let tries = 0
  const { user, refunds } = open(() => {
    tries += 1
    return tries === 1 ? problem(409, { code: 'conflict', detail: 'Only $10.00 is left to refund' }) : done()
  })
  await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
  expect(await screen.findByText('Only $10.00 is left to refund')).toBeTruthy()
  expect(screen.getByText('Request req_test')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
  await screen.findByText('Refunded $49.00 to Ada Lovelace')
  expect(keyOf(refunds()[0])).not.toBe(keyOf(refunds()[1]))
})

test('a pending refund is not called done', async () => {
  const { user, onClose } = open(() => done({ status: 'pending' }))
  await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
  const outcome = await screen.findByRole('alertdialog', { name: 'Refund pending' })
  expect(outcome.textContent).toContain('Stripe accepted the refund')
  expect(screen.queryByText(/^Refunded/)).toBeNull()
  await user.click(within(outcome).getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('a refund that the provider failed is shown as failed', async () => {
  const { user } = open(() => done({ status: 'failed', failure_reason: 'expired_or_canceled_card' }))
  await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
  const outcome = await screen.findByRole('alertdialog', { name: 'Refund failed' })
  expect(outcome.textContent).toContain('Expired or canceled card')
  expect(outcome.textContent).toContain('No money has moved.')
})

test.each([
  ['a 504 of the server', () => problem(504, { code: 'outcome_unknown' })],
  ['a gateway that gave up', () => new Response('<html>', { status: 502 })],
  ['a lost connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an answer cut short', () => new Response('{"success":tr', { headers: { 'content-type': 'application/json' } })],
])('%s is an unknown outcome, followed until it is settled', async (_, answer) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const { user, refunds } = open(answer as RefundHandler)
    await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
    expect(await screen.findByText(/Checking whether \$49\.00 was refunded/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull()
    const id = keyOf(refunds()[0])!
    mockApi(billing, { listMoneyActions: () => ({ actions: [anAction({ id, state: 'unknown' })] }) })
    await vi.advanceTimersByTimeAsync(3500)
    expect(screen.getByText(/Checking whether/)).toBeTruthy()
    mockApi(billing, { listMoneyActions: () => ({ actions: [anAction({ id, state: 'done' })] }) })
    await vi.advanceTimersByTimeAsync(3500)
    expect(await screen.findByText(/The refund of \$49\.00/)).toBeTruthy()
    expect(refunds()).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a call that never arrived can be tried again as the same action', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    let tries = 0
    const { user, refunds } = open(() => {
      tries += 1
      return tries === 1 ? Promise.reject(new TypeError('Failed to fetch')) : done()
    })
    await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
    await screen.findByText(/Checking whether/)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await screen.findByText(/The console did not get the request/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Refund $49.00' }))
    await screen.findByText('Refunded $49.00 to Ada Lovelace')
    expect(keyOf(refunds()[0])).toBe(keyOf(refunds()[1]))
  } finally {
    vi.useRealTimers()
  }
})

test('takes yen without decimals', async () => {
  const yen = aPayment({ currency: 'jpy', amount: 5000, refundable_amount: 5000 })
  const { user, refunds } = open(() => done({ amount: 1200, currency: 'jpy' }), yen)
  await user.click(screen.getByRole('radio', { name: 'Partial' }))
  const amount = screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' })
  expect(amount.value).toBe('')
  await user.type(amount, '12.5')
  expect(screen.getByText('JPY has no decimals')).toBeTruthy()
  await user.clear(amount)
  await user.type(amount, '1200')
  await user.click(screen.getByRole('button', { name: 'Refund ¥1,200' }))
  await waitFor(() => expect(refunds()[0]?.body).toEqual({ amount: 1200 }))
})

test('takes over what somebody else has refunded meanwhile', async () => {
  mockApi(billing, {
    getPayment: () => ({
      payment: paymentDetails({ refunded_amount: 4900, refundable_amount: 0, status: 'refunded' }),
    }),
  })
  renderPage(<RefundPaymentDialog payment={aPayment()} onClose={() => {}} />)
  expect(await screen.findByText('Nothing left to refund.')).toBeTruthy()
  expect(screen.queryByRole('radio')).toBeNull()
})

test("a subscription's refund starts with its refundable payments, newest first", async () => {
  const api = mockApi(billing, {
    listPayments: () => ({
      payments: [
        aPayment({ id: 'pi_2', created_at: '2026-11-02T10:00:00Z' }),
        aPayment({ id: 'pi_1', created_at: '2026-10-02T10:00:00Z', refunded_amount: 900, refundable_amount: 4000 }),
      ],
      has_more: false,
      total: null,
      as_of: '2026-11-21T11:00:00Z',
    }),
    getPayment: () => ({ payment: paymentDetails({ refunded_amount: 900, refundable_amount: 4000 }) }),
    refundPayment: () => done({ amount: 4000 }),
  })
  const { user } = renderPage(<RefundSubscriptionDialog subscription={aSubscription()} onClose={() => {}} />)
  await user.click(await screen.findByRole('button', { name: /\$40\.00 of \$49\.00/ }))
  await expect
    .poll(() => api.calls()[0]?.query)
    .toEqual({
      subscription: 'sub_1',
      refundable: 'true',
      sort: '-created_at',
      limit: '100',
    })
  await user.click(await screen.findByRole('button', { name: 'Refund $40.00' }))
  expect(await screen.findByText('Refunded $40.00 to Ada Lovelace')).toBeTruthy()
})

test('says when a subscription has nothing to refund', async () => {
  mockApi(billing, { listPayments: () => ({ payments: [], has_more: false, total: 0, as_of: '2026-11-21T11:00:00Z' }) })
  renderPage(<RefundSubscriptionDialog subscription={aSubscription()} onClose={() => {}} />)
  expect(await screen.findByText('No refundable payments of this subscription.')).toBeTruthy()
})
