import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useCall(apiKeys.revokeApiKey, [apiKeys.listApiKeys])
  const toast = useToast()
  const handleConfirm = () =>
    revoke.mutate(
      { params: { id: apiKey.id } },
      {
        onSuccess: () => {
          toast.success(`${apiKey.name} is revoked`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Revoke API key"
      consequences={[
        <bdi key="name">{`Whatever calls the API with ${apiKey.name} (${apiKey.key_prefix}…) is refused at once.`}</bdi>,
        apiKey.last_used
          ? `It was last used ${formatDateTime(apiKey.last_used)}, ${formatCount(apiKey.use_count)} times in all.`
          : 'It was never used.',
        ...(apiKey.previous ? ['The key before it, which is still good, stops as well.'] : []),
        'It cannot be undone: a new key has to be generated.',
      ]}
      confirmLabel="Revoke key"
      destructive
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
