import * as sites from '@agency/contract/descriptors/sites'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import { environmentReads } from './EnvironmentEditor.tsx'

type Props = { siteId: string; current: number; to: number; onClose: () => void }

const words = { added: 'Restored', changed: 'Restored to old value', removed: 'Removed' } as const

export function RollBackDialog({ siteId, current, to, onClose }: Props) {
  const params = { id: siteId }
  const difference = useQuery(q(sites.compareEnvironments, { params, query: { from: current, to } }))
  const { data } = difference
  const toast = useToast()
  const act = useCall(sites.rollBackEnvironment, environmentReads)
  const parts = (['added', 'changed', 'removed'] as const).filter((part) => data && data[part].length > 0)
  const handleConfirm = () =>
    act.mutate(
      { params, body: { version: current, to } },
      {
        onSuccess: ({ environment }) => {
          toast.success(`Rolled back to version ${to} (now version ${environment.version})`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Roll back to version ${to}`}
      consequences={[
        ...parts.map((part) => (
          <>
            {words[part]}: <code>{data?.[part].join(', ')}</code>
          </>
        )),
        ...(data && parts.length === 0 ? ['Same as the current version.'] : []),
        `Saves version ${to} again as version ${current + 1}. No version is lost.`,
        'Takes effect with the next deployment.',
      ]}
      confirmLabel={`Roll back to version ${to}`}
      pending={act.isPending}
      blockedReason={data ? undefined : unreadPreview(difference.error)}
      error={act.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {data ? null : difference.error ? (
        <SectionError error={difference.error} onRetry={() => void difference.refetch()} />
      ) : (
        <SkeletonLines count={2} height={24} />
      )}
    </ConfirmDialog>
  )
}
