import * as channels from '@agency/contract/descriptors/channels'
import type { Route } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { channelReads } from './alerts-search.ts'
import { severityText } from './route-columns.tsx'

export function DeleteRouteDialog({ route, onClose }: { route: Route; onClose: () => void }) {
  const remove = useCall(channels.deleteRoute, channelReads)
  const toast = useToast()
  const handleConfirm = () =>
    remove.mutate(
      { params: { id: route.id } },
      {
        onSuccess: () => {
          toast.success(`Deleted route to ${route.channel_name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete route"
      consequences={[
        <bdi key="what">{`${route.channel_name} no longer gets messages from this route (${severityText(route)}).`}</bdi>,
        'Messages held during quiet hours are still sent.',
      ]}
      confirmLabel="Delete route"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
