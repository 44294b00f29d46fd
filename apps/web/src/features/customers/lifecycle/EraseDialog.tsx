import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import type { DialogProps } from './acts.ts'
import { lifecycleReads } from './lifecycle-reads.ts'
import { PreviewProblem } from './PreviewProblem.tsx'
import { reachOf } from './reach.tsx'

export function EraseDialog({ id, onStarted, onClose }: DialogProps) {
  const { data, error, refetch } = useQuery({
    ...q(customerLifecycle.previewErasure, { params: { id } }),
    staleTime: 0,
  })
  const preview = data?.preview
  const toast = useToast()
  const act = useCall(customerLifecycle.eraseCustomer, lifecycleReads, { isOneIntent: true })
  const handleDone = () => {
    toast.success('Erasing the customer')
    onStarted(id)
  }
  const name = preview?.typed_name
  return (
    <ConfirmDialog
      title={name ? `Erase customer: ${name}` : 'Erase customer'}
      consequences={preview ? reachOf(preview) : []}
      confirmLabel="Erase now"
      destructive
      {...(name !== undefined && { typedName: name })}
      pending={act.isPending}
      blockedReason={preview ? (preview.blocked ?? undefined) : unreadPreview(error)}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id }, body: { typed_name: name ?? '' } }, { onSuccess: handleDone })}
      onClose={onClose}
    >
      <PreviewProblem error={error} ready={preview !== undefined} onRetry={() => void refetch()} />
    </ConfirmDialog>
  )
}
