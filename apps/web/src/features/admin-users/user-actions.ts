import type { AdminUser } from '@agency/contract/types'
import type { Action } from '../../ui/action.ts'

export type UserActKind =
  | 'edit'
  | 'reset-password'
  | 'activate'
  | 'deactivate'
  | 'delete'
  | 'reset-second-factor'
  | 'renew-invitation'
  | 'revoke-link'

/** A dialog that is open. It is not in the URL: a reload must not start an act. */
export type UserAct = { kind: 'add' } | { kind: UserActKind; user: AdminUser }

type Options = {
  href: string
  /** The id of whoever is signed in; null for the admin key. */
  self: string | null
  onAct: (act: UserAct) => void
}

export function userActions(user: AdminUser, { href, self, onAct }: Options): Action[] {
  const isSelf = user.id === self
  const act = (kind: UserActKind, label: string, more: Partial<Action> = {}): Action => ({
    label,
    disabledReason: user.locked_reason ?? undefined,
    onSelect: () => onAct({ kind, user }),
    ...more,
  })
  const inactive = user.is_active ? undefined : 'Activate the account first'
  const yourself = (what: string) => (isSelf ? `You cannot ${what} yourself` : (user.locked_reason ?? undefined))
  return [
    { label: 'View Details', href },
    act('edit', 'Edit User'),
    act('reset-password', 'Reset Password', {
      disabledReason: isSelf ? 'Change your own password in your profile' : (user.locked_reason ?? inactive),
    }),
    ...(user.second_factor.enabled
      ? [act('reset-second-factor', 'Reset Two-Step Verification', factorBlock(user, isSelf))]
      : []),
    ...(user.password === 'none' && user.last_login_at === null
      ? [act('renew-invitation', 'New Invitation Link', { disabledReason: user.locked_reason ?? inactive })]
      : []),
    ...(user.open_link ? [act('revoke-link', 'Revoke Link')] : []),
    user.is_active
      ? act('deactivate', 'Deactivate', { divider: true, disabledReason: yourself('deactivate') })
      : act('activate', 'Activate', { divider: true }),
    act('delete', 'Delete User', { destructive: true, disabledReason: yourself('delete') }),
  ]
}

function factorBlock(user: AdminUser, isSelf: boolean): Partial<Action> {
  const own = 'Change your own two-step verification in your profile'
  return { disabledReason: isSelf ? own : (user.locked_reason ?? undefined) }
}
