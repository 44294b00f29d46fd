import type { Permission, Role, SessionState } from '@agency/contract/types'

type Actor = SessionState['actor']

const superAdmin = 'super_admin'

/** Why the actor may not give a role to somebody, or undefined. The server has the last word; this saves the try. */
export function whyNotGiven(actor: Actor, role: Pick<Role, 'name' | 'permissions'>): string | undefined {
  if (actor.role === superAdmin) return undefined
  if (role.name === superAdmin) return 'only a super admin can assign it'
  return role.permissions.every((permission) => holds(actor, permission)) ? undefined : 'more permissions than yours'
}

/** Why the actor may not change a role at all, or undefined. */
export function whyRoleLocked(actor: Actor, role: Pick<Role, 'name' | 'permissions'>): string | undefined {
  if (actor.role === superAdmin) return undefined
  const isLess = role.permissions.length < actor.permissions.length
  return isLess && whyNotGiven(actor, role) === undefined
    ? undefined
    : 'You can only change roles with fewer permissions than yours'
}

/** Why the actor may not put a permission into a role, or undefined. */
export function whyNotHeld(actor: Actor, permission: Permission): string | undefined {
  if (permission === 'admin.sql_write') return 'For super admins only'
  return actor.role === superAdmin || holds(actor, permission) ? undefined : 'You do not have this permission'
}

const holds = ({ permissions }: Actor, permission: Permission) => permissions.includes(permission)
