import * as security from '@agency/contract/descriptors/security'
import type { LiveSession } from '@agency/contract/types'
import { formatRelative } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { useNow } from '../../lib/use-now.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { sessionsText } from './security-words.ts'

const stale = [security.listSessions, security.getAdminKey]

export function EndSessionDialog({ session, onClose }: { session: LiveSession; onClose: () => void }) {
  const revoke = useCall(security.revokeSession, stale)
  const toast = useToast()
  const now = useNow()
  const { actor_name, device, address, last_activity_at } = session
  const handleConfirm = () =>
    revoke.mutate(
      { params: { id: session.id } },
      {
        onSuccess: () => {
          toast.success(`Ended the session of ${actor_name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Revoke session"
      consequences={[
        <bdi key="who">{`${actor_name} is signed out of ${device} at once and can sign in again.`}</bdi>,
        `Last activity ${formatRelative(last_activity_at, now)}${address ? `, from ${address}` : ''}.`,
        'Unsaved changes there are lost.',
      ]}
      confirmLabel="Revoke session"
      destructive
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

export function EndOthersDialog({ others, onClose }: { others: number; onClose: () => void }) {
  const revoke = useCall(security.revokeOtherSessions, stale)
  const toast = useToast()
  const handleConfirm = () =>
    revoke.mutate(
      {},
      {
        onSuccess: ({ ended }) => {
          toast.success(`${sessionsText(ended)} ended`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Sign out all others"
      consequences={[
        `${sessionsText(others)} ${others === 1 ? 'ends' : 'end'} at once, yours on other devices included.`,
        'This session stays. The others can sign in again.',
      ]}
      confirmLabel={`Sign out ${sessionsText(others)}`}
      destructive
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
