import * as channels from '@agency/contract/descriptors/channels'
import type { Channel } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { channelReads } from './alerts-search.ts'

export function DeleteChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const remove = useCall(channels.deleteChannel, channelReads)
  const toast = useToast()
  const handleConfirm = () =>
    remove.mutate(
      { params: { id: channel.id } },
      {
        onSuccess: () => {
          toast.success(`Deleted channel: ${channel.name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete channel"
      consequences={[
        <bdi key="what">{`Alerts are no longer sent to ${channel.name} (${channel.target}).`}</bdi>,
        'Routes and delivery log are deleted. Waiting messages are not sent.',
      ]}
      confirmLabel="Delete channel"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
