import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '../../lib/api.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { useToast } from '../../ui/Toast.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { reachLines } from './reach-words.tsx'

const endpoints = { resume: billingChanges.resumeSubscription, undo_cancel: billingChanges.undoCancellation }

type Props = {
  subscription: Subscription
  action: keyof typeof endpoints
  title: string
  /** What has happened, as a part of a sentence. */
  what: string
  consequences: readonly ReactNode[]
  cancelLabel: string
  done: string
  onClose: () => void
}

/** Takes back what was done to a subscription; nothing is to be chosen. */
export function TakenBackDialog({
  subscription,
  action,
  title,
  what,
  consequences,
  cancelLabel,
  done,
  onClose,
}: Props) {
  const { id } = subscription
  const preview = useQuery({
    ...q(billingChanges.previewSubscriptionChange, { params: { id }, query: { action } }),
    staleTime: 0,
  })
  const { outcome, run } = useMoneyAction(endpoints[action], id)
  const toast = useToast()
  const reach = preview.data?.reach
  return (
    <ChangeDialog
      title={title}
      what={what}
      outcome={outcome}
      preview={preview}
      reach={reach}
      consequences={reach && !reach.refusal ? [...consequences, ...reachLines(reach)] : []}
      confirmLabel={title}
      cancelLabel={cancelLabel}
      onConfirm={() =>
        void run({ params: { id }, body: {} }, () => {
          toast.success(done)
          onClose()
        })
      }
      onClose={onClose}
    />
  )
}
