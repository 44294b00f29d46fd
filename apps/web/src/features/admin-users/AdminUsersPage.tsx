import * as adminUsers from '@agency/contract/descriptors/admin-users'
import { lazy, Suspense, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { AdminScreenTabs } from '../../ui/AdminScreenTabs.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { ActivityTab } from './ActivityTab.tsx'
import { PermissionsTab } from './PermissionsTab.tsx'
import { RolesTab } from './RolesTab.tsx'
import { SummaryCards } from './SummaryCards.tsx'
import { UsersTab } from './UsersTab.tsx'
import type { UserAct } from './user-actions.ts'
import { usersList } from './users-list.ts'
import type { UsersSearch } from './users-search.ts'

const UserDialogs = lazy(() => import('./UserDialogs.tsx').then((module) => ({ default: module.UserDialogs })))

const onlineEveryMs = 60_000

const tabPaths: Record<UsersSearch['tab'], string> = {
  users: paths.users,
  roles: `${paths.users}?tab=roles`,
  permissions: `${paths.users}?tab=permissions`,
  activity: `${paths.users}?tab=activity`,
}

export function AdminUsersPage() {
  const denial = useDenial(adminUsers.listUsers)
  if (!denial) return <People />
  return (
    <>
      <PageHeader title="User & Role Management" />
      <AdminScreenTabs current={paths.users} />
      <EmptyState title="You may not see admin users" text={denial} />
    </>
  )
}

function People() {
  const screen = useListScreen(usersList)
  const { state, query } = screen
  const [act, setAct] = useState<UserAct>()
  const [addingRole, setAddingRole] = useState(false)
  const summary = screen.answer?.summary
  // Who is online changes by the clock alone, of which no event tells.
  usePoll(() => void query.refetch(), onlineEveryMs)
  return (
    <>
      <PageHeader
        title="User & Role Management"
        summary={summary ? `${formatCount(summary.active)} active · ${formatCount(summary.online)} online now` : ''}
        actions={
          state.tab === 'roles' ? (
            <AddButton onClick={() => setAddingRole(true)}>Add Role</AddButton>
          ) : (
            <AddButton onClick={() => setAct({ kind: 'add' })}>Add Admin User</AddButton>
          )
        }
      />
      <AdminScreenTabs current={paths.users} />
      <SummaryCards summary={summary} failed={query.isError} asOf={query.isPlaceholderData ? null : screen.at} />
      <SubTabLinks
        label="People and roles"
        current={tabPaths[state.tab]}
        tabs={[
          { href: tabPaths.users, label: 'Users', count: summary?.total },
          { href: tabPaths.roles, label: 'Roles', count: summary?.roles },
          { href: tabPaths.permissions, label: 'Permissions' },
          { href: tabPaths.activity, label: 'Activity Log' },
        ]}
      />
      {state.tab === 'users' ? <UsersTab screen={screen} onAct={setAct} /> : null}
      {state.tab === 'roles' ? <RolesTab adding={addingRole} onAdded={() => setAddingRole(false)} /> : null}
      {state.tab === 'permissions' ? <PermissionsTab /> : null}
      {state.tab === 'activity' ? <ActivityTab /> : null}
      {act ? (
        <Suspense>
          <UserDialogs act={act} onClose={() => setAct(undefined)} />
        </Suspense>
      ) : null}
    </>
  )
}
