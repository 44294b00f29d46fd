import type { Subscription } from '@agency/contract/types'
import { formatDate } from '../../lib/format-time.ts'
import { subjectOf } from './cancel-words.tsx'
import { scheduledEnd } from './change-actions.ts'
import { TakenBackDialog } from './TakenBackDialog.tsx'

type Props = { subscription: Subscription; onClose: () => void }

export function UndoCancellationDialog({ subscription, onClose }: Props) {
  const subject = subjectOf(subscription)
  const end = scheduledEnd(subscription)
  return (
    <TakenBackDialog
      subscription={subscription}
      action="undo_cancel"
      title="Undo cancellation"
      what={`the cancellation of ${subject} was undone`}
      consequences={[
        <>
          <bdi>{subject}</bdi> continues{end ? ` after ${formatDate(end)}` : ''} and is billed as before.
        </>,
      ]}
      cancelLabel="Keep cancellation"
      done={`Undid the cancellation of ${subject}`}
      onClose={onClose}
    />
  )
}
