import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import { formatDate } from '../../lib/format-time.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../ui/OutcomeDialog.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import {
  alreadyCancelled,
  type CancelAt,
  cancelConsequences,
  cancelledText,
  confirmLabels,
  subjectOf,
} from './cancel-words.tsx'

type Props = { subscription: Subscription; onClose: () => void }

const title = 'Cancel Subscription'

export function CancelSubscriptionDialog({ subscription: listed, onClose }: Props) {
  const preview = useQuery({ ...q(billingChanges.previewCancellation, { params: { id: listed.id } }), staleTime: 0 })
  const subscription = preview.data?.subscription ?? listed
  const [chosen, setChosen] = useState<CancelAt>()
  const { outcome, run } = useMoneyAction(billingChanges.cancelSubscription, listed.id)
  const toast = useToast()
  const scheduled = preview.data?.period_end.already_scheduled ?? false
  // The gentler of the two first, unless it is settled already.
  const at = chosen ?? (scheduled ? 'now' : 'period_end')
  const subject = subjectOf(subscription)

  const handleAnswer = ({ subscription: after }: ResponseOf<typeof billingChanges.cancelSubscription>) => {
    toast.success(cancelledText(at, after, preview.data))
    onClose()
  }
  const handleConfirm = () => {
    if (preview.data) void run({ params: { id: listed.id }, body: { at } }, handleAnswer)
  }

  if (outcome.phase === 'unknown') {
    return (
      <UnknownOutcome
        title={title}
        what={`${subject} was cancelled`}
        where="the subscription's status"
        followFailed={outcome.followFailed}
        onClose={onClose}
      />
    )
  }
  if (outcome.phase === 'confirmed') {
    return (
      <OutcomeDialog title={title} tone="success" onClose={onClose}>
        Cancelled {subject}.
      </OutcomeDialog>
    )
  }
  if (subscription.status === 'cancelled' && outcome.phase === 'open') {
    return (
      <OutcomeDialog title={title} tone="info" onClose={onClose}>
        {alreadyCancelled(subscription)}
      </OutcomeDialog>
    )
  }
  return (
    <ConfirmDialog
      title={title}
      consequences={preview.data ? cancelConsequences(at, preview.data) : []}
      confirmLabel={confirmLabels[at]}
      cancelLabel="Keep subscription"
      destructive
      pending={outcome.phase === 'sending'}
      blockedReason={preview.data ? undefined : unreadPreview(preview.error)}
      error={outcome.phase === 'open' ? outcome.error : null}
      fieldsFirst
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {preview.error && !preview.data ? (
        <ErrorPanel error={preview.error as ApiError} onRetry={() => void preview.refetch()}>
          {fetchFailure('subscription', preview.error as ApiError)}
        </ErrorPanel>
      ) : null}
      {preview.data ? (
        <RadioGroup aria-label="When" value={at} onChange={(_, value) => setChosen(value as CancelAt)}>
          <FormControlLabel
            value="period_end"
            disabled={scheduled || outcome.phase === 'sending'}
            control={<Radio size="small" />}
            label={endLabel(preview.data.period_end.ends_at, scheduled)}
          />
          <FormControlLabel
            value="now"
            disabled={outcome.phase === 'sending'}
            control={<Radio size="small" />}
            label="Now"
          />
        </RadioGroup>
      ) : preview.error ? null : (
        <SkeletonLines count={4} height={32} />
      )}
    </ConfirmDialog>
  )
}

function endLabel(endsAt: string | null, scheduled: boolean): string {
  const when = endsAt ? `, on ${formatDate(endsAt)}` : ''
  return scheduled ? `At the end of the period${when}: already scheduled` : `At the end of the period${when}`
}
