import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { useSessionState } from '../../../lib/session.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import type { DialogProps } from './acts.ts'
import { lifecycleReads } from './lifecycle-reads.ts'
import { PreviewProblem } from './PreviewProblem.tsx'
import { reachOf } from './reach.tsx'
import { superAdminOnly } from './super-admin.ts'

export function DeleteDialog({ id, onStarted, onClose }: DialogProps) {
  const [atStripe, setAtStripe] = useState(false)
  const stripeDenial = superAdminOnly(useSessionState())
  const query = { at_stripe: atStripe ? ('true' as const) : ('false' as const) }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...q(customerLifecycle.previewDeletion, { params: { id }, query }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const preview = data?.preview
  const toast = useToast()
  const act = useCall(customerLifecycle.deleteCustomer, lifecycleReads, { isOneIntent: true })
  const handleDone = () => {
    toast.success(`Deleting ${preview?.typed_name ?? 'the customer'}`)
    onStarted(id)
  }
  const name = preview?.typed_name
  const body = { at_stripe: atStripe, ...(atStripe && name !== undefined && { typed_name: name }) }
  return (
    <ConfirmDialog
      title={name ? `Delete Customer: ${name}` : 'Delete Customer'}
      consequences={preview ? reachOf(preview) : []}
      confirmLabel={atStripe ? 'Delete here and at Stripe' : 'Delete customer'}
      destructive
      {...(atStripe && name !== undefined && { typedName: name })}
      pending={act.isPending}
      blockedReason={preview && !isPlaceholderData ? (preview.blocked ?? undefined) : unreadPreview(error)}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id }, body }, { onSuccess: handleDone })}
      onClose={onClose}
    >
      <PreviewProblem error={error} ready={preview !== undefined} onRetry={() => void refetch()} />
      <FormControlLabel
        disabled={act.isPending || stripeDenial !== undefined}
        title={stripeDenial}
        control={<Checkbox checked={atStripe} onChange={(_, checked) => setAtStripe(checked)} />}
        label={`Also delete at Stripe, which cannot be undone${stripeDenial ? ` (${stripeDenial})` : ''}`}
      />
    </ConfirmDialog>
  )
}
