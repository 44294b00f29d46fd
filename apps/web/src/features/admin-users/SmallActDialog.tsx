import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { AdminUser } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import type { UserActKind } from './user-actions.ts'
import { peopleReads } from './users-list.ts'
import type { Done } from './way-in.ts'

type Kind = Exclude<UserActKind, 'edit' | 'reset-password' | 'deactivate' | 'delete'>
type Props = { kind: Kind; user: AdminUser; onDone: (done: Done) => void; onClose: () => void }

/** Acts that need nothing but a yes. */
export function SmallActDialog({ kind, user, onDone, onClose }: Props) {
  const calls = {
    activate: useCall(adminUsers.activateUser, peopleReads),
    'reset-second-factor': useCall(adminUsers.resetSecondFactor, peopleReads),
    'renew-invitation': useCall(adminUsers.renewInvitation, peopleReads),
    'revoke-link': useCall(adminUsers.revokeLink, peopleReads),
  }
  const toast = useToast()
  const { title, consequences, confirmLabel, told } = wordsOf(kind, user)
  const params = { id: user.id }
  const finish = (text: string) => {
    toast.success(text)
    onClose()
  }
  const run: Record<Kind, () => void> = {
    activate: () => calls.activate.mutate({ params }, { onSuccess: () => finish(told) }),
    'revoke-link': () => calls['revoke-link'].mutate({ params }, { onSuccess: () => finish(told) }),
    'reset-second-factor': () =>
      calls['reset-second-factor'].mutate(
        { params },
        {
          onSuccess: ({ ended_sessions }) => finish(`${told} ${formatCount(ended_sessions)} of their sessions ended.`),
        },
      ),
    'renew-invitation': () =>
      calls['renew-invitation'].mutate(
        { params, body: { send_email: true } },
        { onSuccess: (answer) => onDone({ title: 'New invitation link', answer, temporaryPassword: null }) },
      ),
  }
  return (
    <ConfirmDialog
      title={title}
      consequences={consequences}
      confirmLabel={confirmLabel}
      destructive={kind === 'reset-second-factor' || kind === 'revoke-link'}
      pending={calls[kind].isPending}
      error={calls[kind].error}
      onConfirm={run[kind]}
      onClose={onClose}
    />
  )
}

type Words = { title: string; consequences: string[]; confirmLabel: string; told: string }

function wordsOf(kind: Kind, { name, email, open_link, second_factor, role_name }: AdminUser): Words {
  const words: Record<Kind, Words> = {
    activate: {
      title: 'Activate user',
      consequences: [`${name} may sign in again, with the role ${role_name}.`],
      confirmLabel: 'Activate',
      told: `Activated ${name}`,
    },
    'reset-second-factor': {
      title: 'Reset two-step verification',
      consequences: [
        `The authenticator app and recovery codes of ${name} stop working. Make sure the request really comes from them.`,
        'All their sessions end at once.',
        second_factor.required
          ? `The role ${role_name} requires two-step verification: they set it up again at the next sign-in.`
          : 'Until they set it up again, their password alone signs them in.',
      ],
      confirmLabel: 'Reset two-step verification',
      told: `Reset the two-step verification of ${name}.`,
    },
    'renew-invitation': {
      title: 'New invitation link',
      consequences: [
        ...(open_link ? ['The earlier link stops working.'] : []),
        `The link is emailed to ${email} if mail is set up. You see it too.`,
      ],
      confirmLabel: 'Create new link',
      told: '',
    },
    'revoke-link': {
      title: 'Revoke link',
      consequences: [`The unused link of ${name} stops working. You can create a new one.`],
      confirmLabel: 'Revoke link',
      told: `Revoked the link of ${name}`,
    },
  }
  return words[kind]
}
