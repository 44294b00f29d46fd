import * as sites from '@agency/contract/descriptors/sites'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import { ReachProblem, reachOf } from './Reach.tsx'
import { type SiteDialogProps, siteReads, suspensionText } from './site-dialog.ts'

export function ResumeDialog({ site, onClose }: SiteDialogProps) {
  const params = { id: site.id }
  const reach = useQuery({ ...q(sites.previewSiteSuspension, { params }), staleTime: 0 })
  const preview = reach.data?.preview
  const toast = useToast()
  const act = useCall(sites.resumeSite, siteReads, { isOneIntent: true })
  const handleDone = (changed: Parameters<typeof suspensionText>[0]) => {
    toast.success(suspensionText(changed))
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Resume Site: ${site.site_name}`}
      consequences={reachOf(preview)}
      confirmLabel="Resume site"
      pending={act.isPending}
      blockedReason={preview ? (preview.blocked ?? undefined) : unreadPreview(reach.error)}
      error={act.error}
      onConfirm={() => act.mutate({ params }, { onSuccess: (answer) => handleDone(answer.site) })}
      onClose={onClose}
    >
      {preview ? null : <ReachProblem error={reach.error} ready={false} onRetry={() => void reach.refetch()} />}
    </ConfirmDialog>
  )
}
