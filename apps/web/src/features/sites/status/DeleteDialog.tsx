import * as sites from '@agency/contract/descriptors/sites'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import { ReachProblem, reachOf } from './Reach.tsx'
import type { SiteDialogProps } from './site-dialog.ts'

export function DeleteDialog({ site, onDeleted, onClose }: SiteDialogProps & { onDeleted: () => void }) {
  const params = { id: site.id }
  const reach = useQuery({ ...q(sites.previewSiteDeletion, { params }), staleTime: 0 })
  const preview = reach.data?.preview
  const toast = useToast()
  const handleDone = () => {
    toast.success(`Deleted ${site.site_name}`)
    onDeleted()
  }
  const act = useCall(sites.deleteSite, [sites.listSites], { isOneIntent: true })
  return (
    <ConfirmDialog
      title={`Are you sure you want to delete ${site.site_name}?`}
      consequences={reachOf(preview)}
      confirmLabel="Delete site"
      destructive
      pending={act.isPending}
      blockedReason={preview ? (preview.blocked ?? undefined) : unreadPreview(reach.error)}
      error={act.error}
      onConfirm={() => act.mutate({ params }, { onSuccess: handleDone })}
      onClose={onClose}
    >
      {preview ? null : <ReachProblem error={reach.error} ready={false} onRetry={() => void reach.refetch()} />}
    </ConfirmDialog>
  )
}
