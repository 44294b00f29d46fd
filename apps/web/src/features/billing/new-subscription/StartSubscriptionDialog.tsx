import * as newSubscriptions from '@agency/contract/descriptors/new-subscriptions'
import type { SubscriptionPreview } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { formatMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { useMoneyAction } from '../../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../../ui/OutcomeDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { NextInvoicePreview } from '../NextInvoicePreview.tsx'
import type { Terms } from './subscription-terms.ts'

const title = 'New Subscription'

type Props = {
  customer: { id: string; name: string; email: string | null }
  terms: Terms
  /** What is charged, in words; null: an invoice is emailed. */
  method: string | null
  sendsEmail: boolean
  preview: SubscriptionPreview
  onBack: () => void
  onDone: () => void
}

/** The rest of a first period costs less by the second. */
const dueText = ({ first_invoice: { amount_due, currency }, full_from }: SubscriptionPreview): string =>
  `${full_from ? 'up to ' : ''}${formatMoney(amount_due, currency)}`

function consequences({ customer, terms, method, sendsEmail, preview }: Props): ReactNode[] {
  const { trial_ends_at: trialEnd, full_from: fullFrom, plan_name } = preview
  const who = <bdi>{customer.name}</bdi>
  const due = dueText(preview)
  const begins = (
    <>
      <bdi>{plan_name}</bdi> begins now for {who} and renews until cancelled.
    </>
  )
  const part = fullFrom
    ? [`The first invoice is for the days until ${formatDate(fullFrom)}, the next one in full.`]
    : []
  if (trialEnd) return [begins, `Nothing is charged before the trial ends on ${formatDate(trialEnd)}.`]
  if (method)
    return [
      begins,
      ...part,
      <>
        Charges {who} {due} now: <bdi>{method}</bdi>. If the bank refuses, no subscription is created.
      </>,
    ]
  return [
    begins,
    ...part,
    <>
      Stripe bills {due} by invoice, due in {terms.days_until_due} days.{' '}
      {sendsEmail ? (
        <>
          It is emailed to <bdi>{customer.email}</bdi>.
        </>
      ) : (
        'Test mode: no email goes out.'
      )}
    </>,
  ]
}

/** What Stripe would bill first, and the button that starts the subscription. */
export function StartSubscriptionDialog(props: Props) {
  const { customer, terms, method, preview, onBack, onDone } = props
  const { outcome, run } = useMoneyAction(newSubscriptions.createSubscription, customer.id)
  const toast = useToast()
  const { first_invoice: first, plan_name } = preview
  const isCharged = method !== null && first.charged_now && first.amount_due > 0
  const started = `${plan_name} started for ${customer.name}`
  if (outcome.phase === 'unknown') {
    return (
      <UnknownOutcome
        title={title}
        what={started}
        where="the customer's subscriptions"
        followFailed={outcome.followFailed}
        onClose={onDone}
      />
    )
  }
  if (outcome.phase === 'confirmed') {
    return (
      <OutcomeDialog title={title} tone="success" onClose={onDone}>
        <bdi>{started}</bdi>.
      </OutcomeDialog>
    )
  }
  const handleConfirm = () =>
    void run({ body: { customer: customer.id, ...terms, expected_amount_due: first.amount_due } }, () => {
      toast.success(`Started ${plan_name} for ${customer.name}`)
      onDone()
    })
  return (
    <ConfirmDialog
      title={title}
      consequences={consequences(props)}
      confirmLabel={isCharged ? `Start and charge ${dueText(preview)}` : 'Start subscription'}
      cancelLabel="Back"
      pending={outcome.phase === 'sending'}
      error={outcome.phase === 'open' ? outcome.error : null}
      onConfirm={handleConfirm}
      onClose={onBack}
    >
      <NextInvoicePreview invoice={first} stale={false} />
    </ConfirmDialog>
  )
}
