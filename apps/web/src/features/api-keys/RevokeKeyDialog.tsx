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
          toast.success(`Revoked ${apiKey.name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Revoke API key"
      consequences={[
        <bdi key="name">{`Calls with ${apiKey.name} (${apiKey.key_prefix}…) are refused at once.`}</bdi>,
        apiKey.last_used
          ? `Last used ${formatDateTime(apiKey.last_used)}, ${formatCount(apiKey.use_count)} calls in total.`
          : 'Never used.',
        ...(apiKey.previous ? ['The previous key stops too.'] : []),
        'This cannot be undone. You can generate a new key.',
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
