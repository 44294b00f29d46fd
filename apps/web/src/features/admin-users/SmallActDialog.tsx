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
      title: 'Reset second factor',
      consequences: [
        `The authenticator app and the recovery codes of ${name} stop working. Make sure that it is really them who ask.`,
        'All of their sessions end at once.',
        second_factor.required
          ? `The role ${role_name} requires a second factor: they set up a new one when they next sign in.`
          : 'Until they set up a new one, their password alone signs them in.',
      ],
      confirmLabel: 'Reset second factor',
      told: `The second factor of ${name} is gone.`,
    },
    'renew-invitation': {
      title: 'New invitation link',
      consequences: [
        ...(open_link ? ['The link of before stops working.'] : []),
        `It is sent to ${email} if mail is set up; you see it too.`,
      ],
      confirmLabel: 'Make new link',
      told: '',
    },
    'revoke-link': {
      title: 'Revoke link',
      consequences: [`The link that ${name} has not used yet stops working. A new one can be made.`],
      confirmLabel: 'Revoke link',
      told: `The link of ${name} is revoked`,
    },
  }
  return words[kind]
}
