import type { Role } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './admin-users.module.css'
import { RoleCard } from './RoleCard.tsx'
import type { RoleAct } from './RoleDialogs.tsx'
import { rolesList } from './users-list.ts'

const RoleDialogs = lazy(() => import('./RoleDialogs.tsx').then((m) => ({ default: m.RoleDialogs })))

type Props = { adding: boolean; onAdded: () => void }

const ghosts = ['a', 'b', 'c', 'd']

export function RolesTab({ adding, onAdded }: Props) {
  const list = useQuery(rolesList)
  const [chosen, setChosen] = useState<RoleAct>()
  const roles = list.data?.roles
  const act: RoleAct | undefined = adding ? { kind: 'add' } : chosen
  return (
    <>
      <ListFailure
        error={list.error}
        what="roles"
        at={roles ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <ul className={css['roles']} aria-label="Roles" aria-busy={list.isPending}>
        {list.isPending
          ? ghosts.map((ghost) => (
              <li key={ghost} className={css['ghost']}>
                <Skeleton width="50%" height={20} />
              </li>
            ))
          : null}
        {roles?.toSorted(systemFirst).map((role) => (
          <li key={role.id}>
            <RoleCard role={role} onAct={setChosen} />
          </li>
        ))}
      </ul>
      {act ? (
        <Suspense>
          <RoleDialogs
            act={act}
            onClose={() => {
              setChosen(undefined)
              onAdded()
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** The specified roles from the most to the least powerful, then those of one's own by name. */
function systemFirst(a: Role, b: Role): number {
  if (a.is_system_role !== b.is_system_role) return a.is_system_role ? -1 : 1
  if (a.is_system_role) return b.permissions.length - a.permissions.length
  return a.display_name < b.display_name ? -1 : 1
}
