import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import type { DialogProps } from './acts.ts'
import { lifecycleReads } from './lifecycle-reads.ts'
import { PreviewProblem } from './PreviewProblem.tsx'
import { reachOf } from './reach.tsx'
import { SuspensionFields } from './SuspensionFields.tsx'
import { useSuspensionChoice } from './suspension-choice.ts'

export function SuspendDialog({ id, onStarted, onClose }: DialogProps) {
  const { choice, setChoice, body, query, blocked } = useSuspensionChoice()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...q(customerLifecycle.previewSuspension, { params: { id }, query }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const preview = data?.preview
  const toast = useToast()
  const act = useCall(customerLifecycle.suspendCustomer, lifecycleReads, { isOneIntent: true })
  const handleDone = () => {
    toast.success(`Suspending ${preview?.typed_name ?? 'the account'}`)
    onStarted(id)
  }
  const reached = preview ? (preview.blocked ?? undefined) : unreadPreview(error)
  return (
    <ConfirmDialog
      title={preview ? `Suspend Account: ${preview.typed_name}` : 'Suspend Account'}
      consequences={preview ? reachOf(preview) : []}
      confirmLabel="Suspend account"
      destructive
      pending={act.isPending}
      blockedReason={reached ?? (isPlaceholderData ? unreadPreview(error) : blocked)}
      error={act.error}
      fieldsFirst
      onConfirm={() => act.mutate({ params: { id }, body }, { onSuccess: handleDone })}
      onClose={onClose}
    >
      <PreviewProblem error={error} ready={preview !== undefined} onRetry={() => void refetch()} />
      <SuspensionFields choice={choice} disabled={act.isPending} mailTo="the customer" onChange={setChoice} />
    </ConfirmDialog>
  )
}
