import { billingChanges, type Subscription } from '@agency/contract/descriptors'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatDate } from '../../lib/format-time.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { useToast } from '../../ui/Toast.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { subjectOf } from './cancel-words.tsx'
import { scheduledEnd } from './change-actions.ts'
import { reachLines } from './reach-words.tsx'

type Props = { subscription: Subscription; onClose: () => void }

export function UndoCancellationDialog({ subscription, onClose }: Props) {
  const { id } = subscription
  const preview = useQuery({
    ...q(billingChanges.previewSubscriptionChange, { params: { id }, query: { action: 'undo_cancel' } }),
    staleTime: 0,
  })
  const { outcome, run } = useMoneyAction(billingChanges.undoCancellation, id)
  const toast = useToast()
  const subject = subjectOf(subscription)
  const end = scheduledEnd(subscription)
  const reach = preview.data?.reach
  return (
    <ChangeDialog
      title="Undo cancellation"
      what={`the cancellation of ${subject} was undone`}
      outcome={outcome}
      preview={preview}
      reach={reach}
      consequences={
        reach && !reach.refusal
          ? [
              <>
                <bdi>{subject}</bdi> goes on{end ? ` after ${formatDate(end)}` : ''} and is billed as before.
              </>,
              ...reachLines(reach),
            ]
          : []
      }
      confirmLabel="Undo cancellation"
      cancelLabel="Keep cancellation"
      onConfirm={() =>
        void run({ params: { id }, body: {} }, () => {
          toast.success(`${subject} goes on`)
          onClose()
        })
      }
      onClose={onClose}
    />
  )
}
