import { type Permission, permissions } from '@agency/contract/permissions'
import type { AdminUser } from '@agency/contract/types'
import { permissionsOf, superAdmin } from '../auth/index.ts'
import { type Caller, whyLocked } from './hierarchy.ts'
import type { ShownUser } from './queries/shown-users.ts'

/** A person as the caller sees them. */
export function presentUser(caller: Caller, { role_permissions, ...user }: ShownUser): AdminUser {
  const held = permissionsOf(user.role, role_permissions)
  return { ...user, permissions: [...held], locked_reason: whyLocked(caller, { id: user.id, permissions: held }) }
}

export type EffectivePermission = { permission: Permission; granted: boolean; reason: string }

/** What somebody may do now, and why or why not. */
export function explainPermissions(user: Pick<AdminUser, 'role' | 'role_name' | 'permissions' | 'is_active'>) {
  const held = new Set(user.permissions)
  return permissions.map((permission): EffectivePermission => {
    if (!user.is_active) return { permission, granted: false, reason: 'The account is not active' }
    if (user.role === superAdmin) return { permission, granted: true, reason: 'Super admins have all permissions' }
    return held.has(permission)
      ? { permission, granted: true, reason: `By the role ${user.role_name}` }
      : { permission, granted: false, reason: `Not in the role ${user.role_name}` }
  })
}
