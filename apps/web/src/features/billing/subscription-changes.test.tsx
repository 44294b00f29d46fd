import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { NextInvoice, Reach } from '@agency/contract/types'
import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { anAction, aPlan, aReach, aSubscription, subscriptionDetails } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { BillingDialogs } from './BillingDialogs.tsx'
import type { Act } from './billing-act.ts'
import { changeActions } from './change-actions.ts'
import { type PauseFields, readPauseTerms } from './pause-terms.ts'
import { planChoices } from './plan-choices.ts'
import { SubscriptionActions } from './SubscriptionActions.tsx'

type Kind = 'undo-cancel' | 'pause' | 'resume'
type Verb = 'undoCancellation' | 'pauseSubscription' | 'resumeSubscription'

function open(kind: Kind, verb: Verb, reach: Reach, row = aSubscription()) {
  mockApi(billing, { listMoneyActions: () => ({ actions: [] }) })
  const api = mockApi(billingChanges, {
    previewSubscriptionChange: () => ({ reach }),
    [verb]: () => ({ success: true as const, subscription: row }),
  })
  const onClose = vi.fn()
  const page = renderPage(<BillingDialogs act={{ kind, subscription: row }} onClose={onClose} />)
  return { ...page, onClose, sent: () => api.calls().filter(({ name }) => name === verb) }
}

describe('undoing a cancellation', () => {
  const scheduled = aSubscription({ cancel_at_period_end: true, cancel_at: '2026-12-02T10:00:00Z' })

  test('says what continues, and sends it once', async () => {
    const reach = aReach({ action: 'undo_cancel', undo: { by: 'cancel', until: null } })
    const { user, sent, onClose } = open('undo-cancel', 'undoCancellation', reach, scheduled)
    const dialog = await screen.findByRole('alertdialog', { name: 'Undo cancellation' })
    await screen.findByText('You can cancel again at any time.')
    expect(dialog.textContent).toContain('Business of Ada Lovelace continues after 12/2/2026 and is billed as before.')
    expect(dialog.textContent).toContain('Monthly recurring revenue does not change.')
    await user.click(screen.getByRole('button', { name: 'Undo cancellation' }))
    expect(await screen.findByText('Undid the cancellation of Business of Ada Lovelace')).toBeTruthy()
    expect(sent()).toHaveLength(1)
    expect(sent()[0]?.headers.get('idempotency-key')).toBeTruthy()
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  test('says why it cannot be done, and sends nothing', async () => {
    const reach = aReach({ refusal: 'No cancellation of this subscription is scheduled' })
    const { user, sent } = open('undo-cancel', 'undoCancellation', reach, scheduled)
    await screen.findByText('No cancellation of this subscription is scheduled')
    await user.click(screen.getByRole('button', { name: 'Undo cancellation' }))
    expect(sent()).toEqual([])
  })
})

describe('pausing', () => {
  test('explains the choice and pauses until somebody resumes it', async () => {
    const reach = aReach({ action: 'pause', undo: { by: 'resume', until: null } }, { pause_collection: 'void', mrr: 0 })
    const { user, sent } = open('pause', 'pauseSubscription', reach)
    await screen.findByText(/falls by \$49\.00 at once/)
    expect(screen.getByText(/are voided: nothing is owed/)).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /Keep as drafts/ }))
    expect(await screen.findByText(/stay drafts/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Pause collection' }))
    expect(await screen.findByText('Paused collection of Business of Ada Lovelace')).toBeTruthy()
    expect(sent()[0]?.body).toEqual({ behavior: 'keep_as_draft', resumes_at: null })
  })

  test('asks for the last day before it pauses until a date', async () => {
    const { user, sent } = open('pause', 'pauseSubscription', aReach({ action: 'pause' }))
    await user.click(await screen.findByRole('radio', { name: 'Until a date' }))
    await user.click(screen.getByRole('button', { name: 'Pause collection' }))
    expect(await screen.findByText('Choose the last day of the pause')).toBeTruthy()
    await user.type(screen.getByLabelText('Last day of the pause'), '2099-01-31')
    await user.click(screen.getByRole('button', { name: 'Pause collection' }))
    await screen.findByText('Paused collection of Business of Ada Lovelace')
    expect(sent()).toHaveLength(1)
    expect(sent()[0]?.body).toMatchObject({ resumes_at: expect.stringMatching(/^2099-0(1-31|2-01)T/) })
  })

  test('reads its last day', () => {
    const now = Date.parse('2026-11-21T10:00:00Z')
    const fields: PauseFields = { behavior: 'void', until: 'date', lastDay: '2026-11-10' }
    expect(readPauseTerms(fields, now)).toMatchObject({ ok: false, message: expect.stringContaining('past') })
    expect(readPauseTerms({ ...fields, lastDay: '' }, now)).toMatchObject({ ok: false })
    expect(readPauseTerms({ ...fields, lastDay: '2026-12-01' }, now)).toMatchObject({ ok: true })
    expect(readPauseTerms({ ...fields, until: 'open' }, now)).toEqual({ ok: true, resumesAt: null })
  })
})

test('resumes what is paused', async () => {
  const row = aSubscription({ pause_collection: 'void', mrr: 0 })
  const { user, sent } = open('resume', 'resumeSubscription', aReach({ action: 'resume' }), row)
  await screen.findByText(/are collected again, the next on 12\/2\/2026/)
  await user.click(screen.getByRole('button', { name: 'Resume collection' }))
  expect(await screen.findByText('Resumed collection of Business of Ada Lovelace')).toBeTruthy()
  expect(sent()).toHaveLength(1)
})

describe('changing the plan', () => {
  const plan = aPlan()
  const [price] = plan.prices
  const pro = { ...price!, id: 'price_pro', amount: 14_900 }
  const plans = [plan, { ...plan, id: 'prod_2', name: 'Pro', prices: [pro] }]
  const invoice: NextInvoice = {
    currency: 'usd',
    subtotal: 8000,
    total: 8000,
    amount_due: 8000,
    charged_at: '2026-11-21T10:00:00Z',
    charged_now: true,
    lines: [
      { description: 'Unused time', amount: -2000, is_proration: true, period_start: null, period_end: null },
      { description: 'Remaining time', amount: 10_000, is_proration: true, period_start: null, period_end: null },
    ],
    has_more_lines: false,
  }

  function openPlan(changePlan: () => Response | { success: true; subscription: ReturnType<typeof aSubscription> }) {
    mockApi(billing, {
      getSubscription: () => ({ subscription: subscriptionDetails() }),
      listPlans: () => ({ plans, currency: 'usd', as_of: '2026-11-21T11:00:00Z' }),
      listMoneyActions: () => ({ actions: [] }),
    })
    const api = mockApi(billingChanges, {
      previewPlanChange: () => ({
        reach: aReach({ action: 'change_plan', undo: { by: 'change_plan', until: null } }, { mrr: 14_900 }),
        next_invoice: invoice,
        proration_date: 1_800_000_000,
      }),
      changePlan,
    })
    const page = renderPage(
      <BillingDialogs act={{ kind: 'change-plan', subscription: aSubscription() }} onClose={() => {}} />,
    )
    return { ...page, sent: () => api.calls().filter(({ name }) => name === 'changePlan') }
  }

  test('shows the next invoice line by line, and charges what was shown', async () => {
    const { user, sent } = openPlan(() => ({ success: true, subscription: aSubscription({ plan_name: 'Pro' }) }))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'New price' }), 'price_pro')
    await user.click(screen.getByRole('radio', { name: 'Charge now' }))
    const next = await screen.findByRole('region', { name: 'Next invoice', busy: false })
    expect(next.textContent).toContain('Unused time-$20.00')
    expect(next.textContent).toContain('Due now$80.00')
    expect(screen.getByText(/rises by \$100\.00 at once/)).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Change plan and charge $80.00' }))
    expect(await screen.findByText(/Changed the plan to Pro of Ada Lovelace/)).toBeTruthy()
    expect(sent()[0]?.body).toEqual({
      price: 'price_pro',
      item: 'si_1',
      proration: 'now',
      proration_date: 1_800_000_000,
      expected_amount_due: 8000,
    })
  })

  test('asks for a price first, and shows a refusal of the provider', async () => {
    const { user, sent } = openPlan(() =>
      problem(422, { code: 'provider_invalid', detail: 'Stripe refused this: Your card was declined.' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Change plan' }))
    expect(await screen.findByText('Choose a price first')).toBeTruthy()
    await user.selectOptions(await screen.findByRole('combobox', { name: 'New price' }), 'price_pro')
    await user.click(await screen.findByRole('button', { name: 'Change plan and charge $80.00' }))
    expect(await screen.findByText('Stripe refused this: Your card was declined.')).toBeTruthy()
    expect(sent()).toHaveLength(1)
  })

  test('offers active, licensed prices of its currency only, and not its own', () => {
    const { items } = subscriptionDetails()
    const odd = [
      { ...pro, id: 'price_eur', currency: 'eur' },
      { ...pro, id: 'price_old', active: false },
      { ...pro, id: 'price_used', usage_type: 'metered' },
    ]
    const offered = planChoices([...plans, { ...plan, name: 'Odd', prices: odd }], items[0]!, items)
    expect(offered.flatMap(({ prices }) => prices.map(({ id }) => id)).toSorted()).toEqual(
      [
        ...plan.prices.filter(({ id, currency }) => id !== 'price_1' && currency === 'usd').map(({ id }) => id),
        'price_pro',
      ].toSorted(),
    )
  })
})

test('lists what was done to a subscription, and how it went', async () => {
  mockApi(billing, {
    listMoneyActions: () => ({
      actions: [
        anAction({ kind: 'pause', state: 'done', amount: null, actor_name: 'Ada' }),
        anAction({ id: 'action_2', kind: 'change_plan', state: 'failed', error: 'Your card was declined.' }),
      ],
    }),
  })
  renderPage(<SubscriptionActions id="sub_1" />)
  const rows = await screen.findAllByRole('row')
  expect(rows.map((row) => row.textContent)).toEqual([
    'ActionStateByDate',
    expect.stringMatching(/^Pause of collectionDoneAda11\/21\/2026/),
    expect.stringMatching(/^Plan changeFailedAdmin key11\/21\/2026/),
  ])
  expect(screen.getByTitle('Your card was declined.')).toBeTruthy()
})

describe('the entries of the menu', () => {
  const onAct = (_act: Act) => {}
  const labels = (part: Parameters<typeof aSubscription>[0], denial?: string) =>
    changeActions(aSubscription(part), { denial, onAct }).map(
      ({ label, disabledReason }) => `${label}${disabledReason ? `: ${disabledReason}` : ''}`,
    )

  test('fit the state of the subscription', () => {
    expect(labels({})).toEqual(['Change Plan', 'Pause Collection'])
    expect(labels({ cancel_at_period_end: true })).toEqual([
      'Change Plan: Set to end: undo the cancellation first',
      'Pause Collection',
      'Undo Cancellation',
    ])
    expect(labels({ pause_collection: 'void' })).toEqual([
      'Change Plan: Collection is paused: resume first',
      'Resume Collection',
    ])
    expect(labels({ status: 'cancelled' })).toEqual([
      'Change Plan: Already cancelled',
      'Pause Collection: Already cancelled',
    ])
  })

  test('name the permission that is missing', () => {
    expect(labels({ cancel_at_period_end: true }, 'Needs billing.write')).toEqual([
      'Change Plan: Needs billing.write',
      'Pause Collection: Needs billing.write',
      'Undo Cancellation: Needs billing.write',
    ])
  })
})
