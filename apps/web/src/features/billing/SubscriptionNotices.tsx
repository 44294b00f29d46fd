import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatDate } from '../../lib/format-time.ts'
import { useDenial } from '../../lib/session.ts'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import type { Act } from './billing-act.ts'
import { scheduledEnd } from './change-actions.ts'
import { ofSubscription } from './collect-actions.ts'
import { Notice } from './Notice.tsx'
import { OpenOutcomes } from './OpenOutcomes.tsx'
import { meaningOf } from './pause-terms.ts'

const behindTexts: Partial<Record<Subscription['status'], string>> = {
  past_due: 'A payment is past due.',
  unpaid: 'Invoices are unpaid, and Stripe no longer tries to collect.',
  incomplete: 'The first payment did not go through.',
}

type Props = { subscription: Subscription; onAct: (act: Act) => void }

/** What is not known yet of a subscription, and what is settled and can be taken back, with the way to do so. */
export function SubscriptionNotices({ subscription, onAct }: Props) {
  const denial = useDenial(billingChanges.undoCancellation)
  const { data } = useQuery(q(billing.listMoneyActions, { query: { target: subscription.id } }))
  const { status, pause_collection: behavior, pause_resumes_at: resumesAt } = subscription
  const end = scheduledEnd(subscription)
  const due = ofSubscription(subscription)
  const undo = (label: string, kind: 'undo-cancel' | 'resume') => (
    <ReasonedButton size="small" variant="outlined" blocked={denial} onClick={() => onAct({ kind, subscription })}>
      {label}
    </ReasonedButton>
  )
  return (
    <>
      <OpenOutcomes actions={data?.actions ?? []} />
      {due ? (
        <Notice
          action={
            <ReasonedButton
              size="small"
              variant="outlined"
              blocked={denial}
              onClick={() => onAct({ kind: 'open-invoice', act: 'pay', ...due })}
            >
              Charge now
            </ReasonedButton>
          }
        >
          {behindTexts[status] ?? 'An invoice is not paid.'}
        </Notice>
      ) : null}
      {end ? <Notice action={undo('Undo', 'undo-cancel')}>Cancels on {formatDate(end)}.</Notice> : null}
      {behavior && status !== 'cancelled' ? (
        <Notice action={undo('Resume', 'resume')}>
          {resumesAt
            ? `Collection is paused until ${formatDate(resumesAt)}.`
            : 'Collection is paused until it is resumed.'}{' '}
          {meaningOf(behavior)}
        </Notice>
      ) : null}
    </>
  )
}
