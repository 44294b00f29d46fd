import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import { formatRelative } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { useNow } from '../../lib/use-now.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { flagReads } from './flags-list.ts'

export function ArchiveDialog({ flag, onClose }: { flag: FeatureFlag; onClose: () => void }) {
  const archive = useCall(featureFlags.archiveFeatureFlag, flagReads)
  const toast = useToast()
  const now = useNow()
  const { id, name, last_evaluated_at } = flag
  const handleConfirm = () =>
    archive.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          toast.success(`Archived ${name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Archive feature flag"
      consequences={[
        <bdi key="what">{`${name} is off for everyone: sites that ask for it hear that there is no such flag.`}</bdi>,
        last_evaluated_at === null
          ? 'No site has asked for it yet.'
          : `A site last asked for it ${formatRelative(last_evaluated_at, now)}.`,
        'Its history stays, and it can be restored.',
      ]}
      confirmLabel="Archive flag"
      destructive
      pending={archive.isPending}
      error={archive.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
