import * as sites from '@agency/contract/descriptors/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import { ReachProblem, reachOf } from './Reach.tsx'
import { ReasonField } from './ReasonField.tsx'
import { type SiteDialogProps, siteReads, suspensionText } from './site-dialog.ts'
import css from './status.module.css'

export function SuspendDialog({ site, onClose }: SiteDialogProps) {
  const [reason, setReason] = useState('')
  const params = { id: site.id }
  const reach = useQuery({ ...q(sites.previewSiteSuspension, { params }), staleTime: 0 })
  const preview = reach.data?.preview
  const act = useCall(sites.suspendSite, siteReads, { isOneIntent: true })
  const undo = useCall(sites.resumeSite, siteReads)
  const handleUndo = () =>
    undo.mutate(
      { params },
      {
        success: (toast, answer) => toast.success(suspensionText(answer.site)),
        failure: `${site.site_name} was not resumed`,
      },
    )
  const blocked = preview ? (preview.blocked ?? undefined) : unreadPreview(reach.error)
  return (
    <ConfirmDialog
      title={`Suspend Site: ${site.site_name}`}
      consequences={reachOf(preview)}
      confirmLabel="Suspend site"
      destructive
      pending={act.isPending}
      blockedReason={blocked ?? (reason.trim() === '' ? 'Enter a reason' : undefined)}
      error={act.error}
      onConfirm={() =>
        act.mutate(
          { params, body: { reason: reason.trim() } },
          {
            success: (toast, answer) => toast.success(suspensionText(answer.site), handleUndo),
            onSuccess: onClose,
          },
        )
      }
      onClose={onClose}
    >
      <ReachProblem error={reach.error} ready={preview !== undefined} onRetry={() => void reach.refetch()} />
      <div className={css['field']}>
        <ReasonField value={reason} disabled={act.isPending} onChange={setReason} />
      </div>
    </ConfirmDialog>
  )
}
