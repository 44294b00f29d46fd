import type { AdminUser } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import type { ScreenOf } from '../../lib/list/use-list-screen.ts'
import { useSessionState } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { UsersToolbar } from './UsersToolbar.tsx'
import { type UserAct, userActions } from './user-actions.ts'
import { userColumns } from './user-columns.tsx'
import { rolesList, type usersList } from './users-list.ts'
import { userChips } from './users-search.ts'

const Details = lazy(() => import('./UserDetailsDialog.tsx').then((m) => ({ default: m.UserDetailsDialog })))

type Props = { screen: ScreenOf<typeof usersList>; onAct: (act: UserAct) => void }

const nameOf = (user: AdminUser) => user.name
const unit = ['user', 'users'] as const

export function UsersTab({ screen, onAct }: Props) {
  const { state, set, hrefOf } = screen
  // Asked once the rows are there: the rows do not wait for the names of roles.
  const roles = useQuery({ ...rolesList, enabled: screen.rows !== undefined }).data?.roles
  const self = useSessionState().user?.id ?? null

  return (
    <ListScreen
      screen={screen}
      label="Admin users"
      unit={unit}
      what="admin users"
      columns={userColumns}
      nameOf={nameOf}
      actionsOf={(user) => userActions(user, { href: hrefOf(user), self, onAct })}
      skeletonRows={8}
      toolbar={<UsersToolbar screen={screen} roles={roles} />}
      chips={userChips(state, roles?.find((role) => role.name === state.role)?.display_name)}
      empty={
        <EmptyState
          text="Everyone signs in with the admin key. With personal accounts the log shows who did what, and each role limits what they may do."
          action={
            <Button variant="outlined" onClick={() => onAct({ kind: 'add' })}>
              Add Admin User
            </Button>
          }
        />
      }
      details={(row) => <Details {...row} view={state.view} onView={(view) => set({ view })} onAct={onAct} />}
    />
  )
}
