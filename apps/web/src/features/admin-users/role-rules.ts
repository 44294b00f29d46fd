import type { Permission, Role, SessionState } from '@agency/contract/types'

type Actor = SessionState['actor']

const superAdmin = 'super_admin'

/** Why the actor may not give a role to somebody, or undefined. The server has the last word; this saves the try. */
export function whyNotGiven(actor: Actor, role: Pick<Role, 'name' | 'permissions'>): string | undefined {
  if (actor.role === superAdmin) return undefined
  if (role.name === superAdmin) return 'only a super admin can give it'
  return role.permissions.every((permission) => holds(actor, permission)) ? undefined : 'it holds more than you do'
}

/** Why the actor may not change a role at all, or undefined. */
export function whyRoleLocked(actor: Actor, role: Pick<Role, 'name' | 'permissions'>): string | undefined {
  if (actor.role === superAdmin) return undefined
  const isLess = role.permissions.length < actor.permissions.length
  return isLess && whyNotGiven(actor, role) === undefined
    ? undefined
    : 'You can change only roles that may do less than you'
}

/** Why the actor may not put a permission into a role, or undefined. */
export function whyNotHeld(actor: Actor, permission: Permission): string | undefined {
  return actor.role === superAdmin || holds(actor, permission) ? undefined : 'You do not hold this permission'
}

const holds = ({ permissions }: Actor, permission: Permission) => permissions.includes(permission)
