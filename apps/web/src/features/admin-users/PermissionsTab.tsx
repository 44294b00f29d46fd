import { permissionCategories } from '@agency/contract/permission-texts'
import type { Role } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import css from './admin-users.module.css'
import { permissionsList, rolesList } from './users-list.ts'

/** Every permission against every role. */
export function PermissionsTab() {
  const permissions = useQuery(permissionsList)
  const roles = useQuery(rolesList)
  const failed = permissions.isError ? permissions : roles
  const ready = permissions.data && roles.data
  return (
    <>
      <ListFailure
        error={failed.error}
        what="permissions"
        at={ready ? failed.dataUpdatedAt : null}
        onRetry={() => void Promise.all([permissions.refetch(), roles.refetch()])}
      />
      {ready ? (
        <Matrix permissions={permissions.data.permissions} roles={roles.data.roles} />
      ) : failed.isError ? null : (
        <SkeletonLines count={14} height={40} />
      )}
    </>
  )
}

type Permission = { id: Role['permissions'][number]; name: string; category: string; description: string }

function Matrix({ permissions, roles }: { permissions: readonly Permission[]; roles: readonly Role[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={css['box']} aria-label="Permissions by role" tabIndex={0}>
      <table className={css['grid']}>
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles.map((role) => (
              <th key={role.id} scope="col" className={css['mark']}>
                <bdi>{role.display_name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        {permissionCategories.map((category) => (
          <tbody key={category}>
            <tr>
              <th scope="rowgroup" colSpan={roles.length + 1}>
                {category}
              </th>
            </tr>
            {permissions
              .filter((permission) => permission.category === category)
              .map((permission) => (
                <Line key={permission.id} permission={permission} roles={roles} />
              ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function Line({ permission, roles }: { permission: Permission; roles: readonly Role[] }) {
  return (
    <tr>
      <th scope="row" title={permission.description}>
        {permission.name}
        <code>{permission.id}</code>
      </th>
      {roles.map((role) => {
        const holds = role.permissions.includes(permission.id)
        return (
          <td key={role.id} className={css['mark']}>
            {holds ? <Icon name="check" className={css['yes']} /> : <span aria-hidden="true">–</span>}
            <Spoken>{holds ? 'Yes' : 'No'}</Spoken>
          </td>
        )
      })}
    </tr>
  )
}
