import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription } from '@agency/contract/types'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { anInvoice, aReach, aSubscription } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { CancelSubscriptionDialog } from './CancelSubscriptionDialog.tsx'
import type { CancelPreview } from './cancel-words.tsx'

const stillOpen = anInvoice({ status: 'open', amount_remaining: 4900, amount_paid: 0 })
const nowReach = aReach({ invoices: [{ ...stillOpen, becomes: 'not_collected' }] }, { status: 'cancelled', mrr: 0 })
const laterReach = aReach({ undo: { by: 'undo_cancel', until: '2026-12-02T10:00:00Z' } })

const preview = (part: Partial<CancelPreview> = {}): CancelPreview => ({
  subscription: aSubscription(),
  now: {
    ends_at: '2026-11-21T10:00:00Z',
    unused_until: '2026-12-02T10:00:00Z',
    mrr_lost: 4900,
    currency: 'usd',
    open_invoices: [stillOpen],
    reach: nowReach,
  },
  period_end: {
    ends_at: '2026-12-02T10:00:00Z',
    mrr_lost: 4900,
    currency: 'usd',
    already_scheduled: false,
    reach: laterReach,
  },
  ...part,
})

function open(answer: () => Subscription | Response, before = preview()) {
  mockApi(billing, { listMoneyActions: () => ({ actions: [] }) })
  const api = mockApi(billingChanges, {
    previewCancellation: () => before,
    cancelSubscription: () => {
      const result = answer()
      return result instanceof Response ? result : { success: true as const, subscription: result }
    },
  })
  const onClose = vi.fn()
  const page = renderPage(<CancelSubscriptionDialog subscription={aSubscription()} onClose={onClose} />)
  return { ...page, onClose, cancels: () => api.calls().filter((call) => call.name === 'cancelSubscription') }
}
const cancelled = (at: string) => aSubscription({ status: 'cancelled', stripe_status: 'canceled', cancelled_at: at })

test('offers the end of the period first, with what it ends and what is at stake', async () => {
  const { user, cancels, onClose } = open(() =>
    aSubscription({ cancel_at_period_end: true, cancel_at: '2026-12-02T10:00:00Z' }),
  )
  const dialog = await screen.findByRole('alertdialog', { name: 'Cancel Subscription' })
  await screen.findByText('Monthly recurring revenue falls by $49.00 then.')
  expect(dialog.textContent).toContain('Business of Ada Lovelace continues until 12/2/2026, then ends.')
  expect(dialog.textContent).toContain('The cancellation can be undone until 12/2/2026.')
  await user.click(screen.getByRole('button', { name: 'Cancel subscription at period end' }))
  expect(await screen.findByText('Business of Ada Lovelace ends on 12/2/2026')).toBeTruthy()
  expect(cancels()[0]?.body).toEqual({ at: 'period_end' })
  expect(cancels()[0]?.headers.get('idempotency-key')).toBeTruthy()
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('cancels now, naming what is paid already and which invoices stay open', async () => {
  const { user, cancels } = open(() => cancelled('2026-11-21T10:00:09Z'))
  await user.click(await screen.findByRole('radio', { name: 'Now' }))
  expect(screen.getByText(/Paid until 12\/2\/2026/)).toBeTruthy()
  expect(screen.getByText(/One invoice stays open/).textContent).toContain('AE-0007 ($49.00)')
  expect(screen.getByText('This cannot be undone.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel subscription now' }))
  expect(await screen.findByText('Cancelled Business of Ada Lovelace')).toBeTruthy()
  expect(cancels()[0]?.body).toEqual({ at: 'now' })
})

test('ending at once what was set to end later is no second cancellation', async () => {
  const { user } = open(() => ({ ...cancelled('2026-11-10T08:00:00Z'), ended_at: '2026-11-21T10:00:09Z' }))
  await user.click(await screen.findByRole('radio', { name: 'Now' }))
  await user.click(screen.getByRole('button', { name: 'Cancel subscription now' }))
  expect(await screen.findByText('Cancelled Business of Ada Lovelace')).toBeTruthy()
})

test('a second cancellation is a success that says it changed nothing', async () => {
  const { user } = open(() => cancelled('2026-11-20T08:30:00Z'))
  await user.click(await screen.findByRole('radio', { name: 'Now' }))
  await user.click(screen.getByRole('button', { name: 'Cancel subscription now' }))
  expect(await screen.findByText(/was already cancelled on 11\/20\/2026.*Nothing was changed\./)).toBeTruthy()
})

test('says at once when it is cancelled already', async () => {
  open(() => cancelled(''), preview({ subscription: cancelled('2026-11-20T08:30:00Z') }))
  expect(await screen.findByText(/was already cancelled on 11\/20\/2026/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Cancel subscription/ })).toBeNull()
})

test('offers only now where the end is scheduled already', async () => {
  open(
    () => cancelled('2026-11-21T10:00:09Z'),
    preview({
      period_end: {
        ends_at: '2026-12-02T10:00:00Z',
        mrr_lost: 0,
        currency: 'usd',
        already_scheduled: true,
        reach: aReach({ is_so_already: true }),
      },
    }),
  )
  const scheduled = await screen.findByRole<HTMLInputElement>('radio', { name: /already scheduled/ })
  expect(scheduled.disabled).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Now' }).checked).toBe(true)
})

test('shows a refusal and keeps the subscription', async () => {
  const { user, onClose } = open(() =>
    problem(503, { code: 'provider_unavailable', detail: 'Stripe does not answer. Nothing was changed.' }),
  )
  await screen.findByRole('radiogroup', { name: 'When' })
  await user.click(screen.getByRole('button', { name: 'Cancel subscription at period end' }))
  expect(await screen.findByText('Stripe does not answer. Nothing was changed.')).toBeTruthy()
  expect(screen.getByText('Request req_test')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Keep subscription' }))
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('shows an unknown outcome as such', async () => {
  const { user } = open(() => problem(504, { code: 'outcome_unknown' }))
  await screen.findByRole('radiogroup', { name: 'When' })
  await user.click(screen.getByRole('button', { name: 'Cancel subscription at period end' }))
  expect(await screen.findByText(/Checking whether Business of Ada Lovelace was cancelled/)).toBeTruthy()
})

test('does not cancel before it is known what that would end', async () => {
  const api = mockApi(billingChanges, { previewCancellation: () => problem(500, { code: 'internal' }) })
  const { user } = renderPage(<CancelSubscriptionDialog subscription={aSubscription()} onClose={() => {}} />)
  await screen.findByText(/Failed to fetch subscription: Internal Server Error/)
  await user.click(screen.getByRole('button', { name: 'Cancel subscription at period end' }))
  expect(await screen.findByText('The preview could not be loaded')).toBeTruthy()
  expect(api.calls().map((call) => call.name)).toEqual(['previewCancellation'])
})
