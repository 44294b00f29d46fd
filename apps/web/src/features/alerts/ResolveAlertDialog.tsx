import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { alertReads } from './alerts-search.ts'

const most = 500

export function ResolveAlertDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const resolve = useCall(alerts.resolveAlert, alertReads)
  const toast = useToast()
  const [reason, setReason] = useState('')
  const text = reason.trim()
  const handleConfirm = () =>
    resolve.mutate(
      { params: { id: alert.id }, ...(text ? { body: { reason: text } } : {}) },
      {
        onSuccess: () => {
          toast.success(`Resolved: ${alert.title}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Resolve alert"
      consequences={[
        <bdi key="what">{`${alert.title} (${alert.subject_name}) ends now.`}</bdi>,
        'The alert reopens if the cause ends and then returns.',
      ]}
      confirmLabel="Resolve alert"
      pending={resolve.isPending}
      blockedReason={text.length > most ? `The reason has ${most} characters at most` : undefined}
      error={resolve.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <TextField
        label="Reason (optional)"
        size="small"
        fullWidth
        multiline
        minRows={2}
        value={reason}
        disabled={resolve.isPending}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
