import type { AdminUser } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import css from './admin-users.module.css'
import type { UserAct } from './user-actions.ts'
import { Marks } from './user-columns.tsx'
import { secondFactorMark } from './user-state.ts'

type Props = { user: AdminUser; onAct: (act: UserAct) => void }

const passwords: Record<AdminUser['password'], string> = {
  own: 'Set',
  none: 'Not set yet (link sent)',
  temporary: 'Temporary until the first login',
  temporary_expired: 'Temporary, expired',
}

export function UserOverview({ user, onAct }: Props) {
  return (
    <>
      {user.locked_reason ? <p className={css['notice']}>{user.locked_reason}</p> : null}
      <OpenLink user={user} onAct={onAct} />
      <Facts
        facts={[
          { label: 'Name', value: <bdi>{user.name}</bdi> },
          { label: 'Email', value: <bdi>{user.email}</bdi> },
          { label: 'Role', value: <bdi>{user.role_name}</bdi> },
          { label: 'Two-step verification', value: <Marks marks={[secondFactorMark(user)]} /> },
          { label: 'Password', value: passwords[user.password] },
          { label: 'Logins', value: formatCount(user.login_count) },
          { label: 'Last login', value: <DateTime at={user.last_login_at} show="date-time" /> },
          { label: 'Last activity', value: <DateTime at={user.last_activity} show="date-time" /> },
          { label: 'Created', value: <DateTime at={user.created_at} show="date-time" /> },
          { label: 'Created by', value: <bdi>{user.created_by}</bdi> },
          { label: 'Changed', value: <DateTime at={user.updated_at} show="date-time" /> },
          { label: 'User ID', value: null, id: user.id },
        ]}
      />
    </>
  )
}

/** The link that waits to be used, and that it can be taken back. */
function OpenLink({ user, onAct }: Props) {
  const link = user.open_link
  if (!link) return null
  return (
    <div className={css['notice']}>
      <span>
        {link.kind === 'invitation' ? 'Invited' : 'Reset link made'} <DateTime at={link.created_at} show="relative" />.
        The link works once, until {formatDateTime(link.expires_at)}.
      </span>
      {user.locked_reason ? null : (
        <Button size="small" color="inherit" variant="outlined" onClick={() => onAct({ kind: 'revoke-link', user })}>
          Revoke Link
        </Button>
      )}
    </div>
  )
}
