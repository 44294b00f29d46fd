import type { SessionState } from '@agency/contract/types'
import { formatDateTime } from '../../lib/format-time.ts'
import { paths } from '../../lib/paths.ts'
import { useSessionState } from '../../lib/session.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { MySessions } from './MySessions.tsx'
import { PasswordPanel } from './PasswordPanel.tsx'
import { PermissionsPanel } from './PermissionsPanel.tsx'
import css from './profile.module.css'
import { SecondFactorPanel } from './SecondFactorPanel.tsx'

/** Whoever is signed in: what the console knows of them, what they may do, and how they prove who they are. */
export function ProfilePage() {
  const state = useSessionState()
  const { user, actor } = state
  return (
    <>
      <PageHeader title="Profile" summary={user ? <bdi>{user.email}</bdi> : 'Signed in with the admin key'} />
      <div className={css['columns']}>
        <div className={css['stack']}>
          <Panel title="Account">
            <Facts facts={accountFacts(state)} />
            {user ? null : (
              <p className={css['note']}>
                The admin key is shared: no name, password or two-step verification to change here. Add yourself under{' '}
                <a href={paths.users}>Admin Users</a> and sign in with email.
              </p>
            )}
          </Panel>
          {user ? <PasswordPanel /> : null}
          {user ? <SecondFactorPanel user={user} /> : null}
          {user ? <MySessions /> : null}
        </div>
        <PermissionsPanel held={actor.permissions} everything={actor.role === 'super_admin'} />
      </div>
    </>
  )
}

function accountFacts({ actor, user, session }: SessionState): Fact[] {
  const person: Fact[] = user
    ? [
        { label: 'Name', value: <bdi>{actor.name}</bdi> },
        { label: 'Email', value: <bdi>{user.email}</bdi> },
        { label: 'Role', value: <bdi>{user.role_name}</bdi> },
      ]
    : [
        { label: 'Signed in as', value: actor.name },
        { label: 'Role', value: 'Super Admin' },
      ]
  if (!session) return person
  return [
    ...person,
    { label: 'Signed in', value: <DateTime at={session.created_at} show="date-time" /> },
    { label: 'Session ends', value: formatDateTime(session.expires_at) },
  ]
}
