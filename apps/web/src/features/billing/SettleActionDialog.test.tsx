import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anAction, aSubscription, paymentDetails } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { ActionState } from './ActionState.tsx'
import { PaymentOverview } from './PaymentOverview.tsx'
import { SubscriptionNotices } from './SubscriptionNotices.tsx'

type Shown = { happened: boolean; facts: string[]; settle_from: string | null }

function open(shown: Shown, settle: () => Response | null = () => null) {
  const action = anAction({ state: 'unknown', error: 'The answer was lost' })
  const api = mockApi(billingChanges, {
    getEvidence: () => shown,
    settleAction: () => settle() ?? { action: { ...action, state: 'failed' as const } },
  })
  const page = renderPage(<ActionState action={action} />)
  return { ...page, sent: () => api.calls().filter(({ name }) => name === 'settleAction') }
}

test('shows what Stripe lists, and settles by it', async () => {
  const { user, sent } = open({
    happened: false,
    facts: ['Stripe lists no refund of this payment.'],
    settle_from: null,
  })
  await user.click(screen.getByRole('button', { name: 'Settle by hand' }))
  expect(await screen.findByText('Stripe lists no refund of this payment.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Record as failed' }))
  expect(await screen.findByText('Recorded the refund as failed')).toBeTruthy()
  expect(sent()).toMatchObject([{ params: { id: 'action_1' }, body: { outcome: 'not_happened' } }])
})

test('a refund that Stripe shows can be settled as done alone', async () => {
  const { user, sent } = open({
    happened: true,
    facts: ['$49.00, succeeded, re_1: made by this action.'],
    settle_from: null,
  })
  await user.click(screen.getByRole('button', { name: 'Settle by hand' }))
  await user.click(await screen.findByRole('button', { name: 'Record as done' }))
  expect(await screen.findByText('Recorded the refund as done')).toBeTruthy()
  expect(sent()).toMatchObject([{ body: { outcome: 'happened' } }])
})

test('sends nothing before Stripe would show it, and says what went wrong', async () => {
  const early = open({
    happened: false,
    facts: ['Stripe lists no refund of this payment.'],
    settle_from: '2026-11-21T10:01:00Z',
  })
  await early.user.click(screen.getByRole('button', { name: 'Settle by hand' }))
  expect(await screen.findByText(/may still arrive\. Settle after/)).toBeTruthy()
  expect(screen.queryByText(/did not happen/)).toBeNull()
  await early.user.click(screen.getByRole('button', { name: 'Record as failed' }))
  expect(await screen.findByText(/^Stripe may need more time\./)).toBeTruthy()
  expect(early.sent()).toEqual([])
  early.unmount()

  const busy = open({ happened: false, facts: ['Stripe lists no refund of this payment.'], settle_from: null }, () =>
    problem(409, {
      code: 'conflict',
      detail: 'The console is asking Stripe right now. Try again in a minute.',
    }),
  )
  await busy.user.click(screen.getByRole('button', { name: 'Settle by hand' }))
  await screen.findByText(/did not happen/)
  await busy.user.click(screen.getByRole('button', { name: 'Record as failed' }))
  expect(await screen.findByText(/The console is asking Stripe right now/)).toBeTruthy()
})

test('a payment says at once what is not known of it, to whoever may only look as well', async () => {
  const payment = paymentDetails({ actions: [anAction({ state: 'unknown' }), anAction({ id: 'action_2' })] })
  renderPage(<PaymentOverview payment={payment} />, { session: testSession(['billing.read']) })
  const [notice, ...more] = screen.getAllByRole('note')
  expect(more).toEqual([])
  expect(notice?.textContent).toMatch(/^Refund of \$\d+\.\d\d: outcome unknown\./)
  expect(screen.getByRole('button', { name: 'Settle by hand' })).toHaveProperty('disabled', true)
})

test('a subscription says at once what is not known of it', async () => {
  const api = mockApi(billing, {
    listMoneyActions: () => ({
      actions: [anAction({ id: 'action_2' }), anAction({ kind: 'cancel', amount: null, state: 'unknown' })],
    }),
  })
  const subscription = aSubscription()
  renderPage(<SubscriptionNotices subscription={subscription} onAct={() => {}} />)
  const notice = await screen.findByRole('note')
  expect(notice.textContent).toMatch(/^Cancellation: outcome unknown\./)
  expect(api.calls().map(({ query }) => query['target'])).toEqual([subscription.id])
})
