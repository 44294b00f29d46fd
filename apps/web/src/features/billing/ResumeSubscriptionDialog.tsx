import { billingChanges, type Subscription } from '@agency/contract/descriptors'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatDate } from '../../lib/format-time.ts'
import { nextBilling } from '../../lib/subscriptions.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { useToast } from '../../ui/Toast.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { subjectOf } from './cancel-words.tsx'
import { reachLines } from './reach-words.tsx'

type Props = { subscription: Subscription; onClose: () => void }

export function ResumeSubscriptionDialog({ subscription, onClose }: Props) {
  const { id } = subscription
  const preview = useQuery({
    ...q(billingChanges.previewSubscriptionChange, { params: { id }, query: { action: 'resume' } }),
    staleTime: 0,
  })
  const { outcome, run } = useMoneyAction(billingChanges.resumeSubscription, id)
  const toast = useToast()
  const subject = subjectOf(subscription)
  const next = nextBilling(subscription)
  const reach = preview.data?.reach
  return (
    <ChangeDialog
      title="Resume collection"
      what={`collection of ${subject} was resumed`}
      outcome={outcome}
      preview={preview}
      reach={reach}
      consequences={
        reach && !reach.refusal
          ? [
              <>
                Invoices of <bdi>{subject}</bdi> are collected again{next ? `, the next on ${formatDate(next)}` : ''}.
              </>,
              'Invoices of the time of the pause stay as they are: what was voided is not charged after all.',
              ...reachLines(reach),
            ]
          : []
      }
      confirmLabel="Resume collection"
      cancelLabel="Keep paused"
      onConfirm={() =>
        void run({ params: { id }, body: {} }, () => {
          toast.success(`Resumed collection of ${subject}`)
          onClose()
        })
      }
      onClose={onClose}
    />
  )
}
