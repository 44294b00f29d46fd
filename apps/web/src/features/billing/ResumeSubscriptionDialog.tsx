import type { Subscription } from '@agency/contract/types'
import { formatDate } from '../../lib/format-time.ts'
import { nextBilling } from '../../lib/subscriptions.ts'
import { subjectOf } from './cancel-words.tsx'
import { TakenBackDialog } from './TakenBackDialog.tsx'

type Props = { subscription: Subscription; onClose: () => void }

export function ResumeSubscriptionDialog({ subscription, onClose }: Props) {
  const subject = subjectOf(subscription)
  const next = nextBilling(subscription)
  return (
    <TakenBackDialog
      subscription={subscription}
      action="resume"
      title="Resume collection"
      what={`collection of ${subject} was resumed`}
      consequences={[
        <>
          Invoices of <bdi>{subject}</bdi> are collected again{next ? `, the next on ${formatDate(next)}` : ''}.
        </>,
        'Invoices from the pause stay as they are. Voided ones are not charged.',
      ]}
      cancelLabel="Keep paused"
      done={`Resumed collection of ${subject}`}
      onClose={onClose}
    />
  )
}
