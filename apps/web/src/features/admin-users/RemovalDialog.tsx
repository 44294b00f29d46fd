import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { AdminUser } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { keysText, type Removal, sessionsText } from './removal-words.ts'
import { peopleReads } from './users-list.ts'

type Props = { kind: 'deactivate' | 'delete'; user: AdminUser; onClose: () => void }

const words = {
  deactivate: { title: 'Deactivate user', verb: 'Deactivate', done: 'Deactivated' },
  delete: { title: 'Delete user', verb: 'Delete', done: 'Deleted' },
}

/** Keeps somebody out, for now or for good: says first what that ends. */
export function RemovalDialog({ kind, user, onClose }: Props) {
  const preview = useQuery({ ...q(adminUsers.previewUserRemoval, { params: { id: user.id } }), staleTime: 0 })
  const deactivate = useCall(adminUsers.deactivateUser, peopleReads)
  const remove = useCall(adminUsers.deleteUser, peopleReads)
  const act = kind === 'delete' ? remove : deactivate
  const toast = useToast()
  const { title, verb, done } = words[kind]

  const handleConfirm = () =>
    act.mutate(
      { params: { id: user.id } },
      {
        onSuccess: () => {
          toast.success(`${done} ${user.name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={title}
      consequences={preview.data ? consequencesOf(kind, user, preview.data) : []}
      confirmLabel={`${verb} ${user.name}`}
      destructive
      typedName={kind === 'delete' ? user.email : undefined}
      pending={act.isPending}
      blockedReason={preview.data ? undefined : unreadPreview(preview.error)}
      error={act.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {preview.data ? undefined : preview.error ? (
        <ErrorPanel error={preview.error} onRetry={() => void preview.refetch()}>
          The preview could not be loaded.
        </ErrorPanel>
      ) : (
        <SkeletonLines count={3} height={28} />
      )}
    </ConfirmDialog>
  )
}

function consequencesOf(kind: Props['kind'], user: AdminUser, removal: Removal): string[] {
  const keys = keysText(removal)
  const link = user.open_link ? 'The unused link stops working.' : undefined
  const rest =
    kind === 'delete'
      ? ['This cannot be undone. Their entries stay in the audit log.']
      : ['They cannot sign in until reactivated. Nothing is deleted.']
  return [`${user.name} (${user.email})`, sessionsText(removal), keys, link, ...rest].filter(
    (text) => text !== undefined,
  )
}
