import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import css from './admin-users.module.css'
import type { UserDetails } from './users-list.ts'

export function UserSessions({ sessions }: Pick<UserDetails, 'sessions'>) {
  if (sessions.length === 0) return <EmptyState text="Not signed in right now." />
  return (
    <ul className={css['sessions']}>
      {sessions.map((session) => (
        <li key={session.id} className={css['session']}>
          <p>{session.device}</p>
          <p className={css['muted']}>
            {session.address ?? 'Unknown address'} · active <DateTime at={session.last_activity_at} show="relative" /> ·
            since <DateTime at={session.created_at} show="date-time" />
          </p>
        </li>
      ))}
    </ul>
  )
}
