import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import type { DialogProps } from './acts.ts'
import { lifecycleReads } from './lifecycle-reads.ts'
import { PreviewProblem } from './PreviewProblem.tsx'
import { reachOf } from './reach.tsx'

export function UnsuspendDialog({ id, onStarted, onClose }: DialogProps) {
  const [notice, setNotice] = useState(false)
  const query = { notice: notice ? ('true' as const) : ('false' as const) }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...q(customerLifecycle.previewUnsuspension, { params: { id }, query }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const preview = data?.preview
  const toast = useToast()
  const act = useCall(customerLifecycle.unsuspendCustomer, lifecycleReads, { isOneIntent: true })
  const handleDone = () => {
    toast.success(`Lifting the suspension of ${preview?.typed_name ?? 'the account'}`)
    onStarted(id)
  }
  return (
    <ConfirmDialog
      title={preview ? `Lift suspension: ${preview.typed_name}` : 'Lift suspension'}
      consequences={preview ? reachOf(preview) : []}
      confirmLabel="Lift suspension"
      pending={act.isPending}
      blockedReason={preview && !isPlaceholderData ? (preview.blocked ?? undefined) : unreadPreview(error)}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id }, body: { notice } }, { onSuccess: handleDone })}
      onClose={onClose}
    >
      <PreviewProblem error={error} ready={preview !== undefined} onRetry={() => void refetch()} />
      <FormControlLabel
        control={<Checkbox checked={notice} onChange={(_, checked) => setNotice(checked)} disabled={act.isPending} />}
        label="Email the customer"
      />
    </ConfirmDialog>
  )
}
