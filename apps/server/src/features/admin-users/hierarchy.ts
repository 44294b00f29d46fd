import { permissionTexts } from '@agency/contract/permission-texts'
import type { Permission } from '@agency/contract/permissions'
import { AppError } from '../../platform/errors.ts'
import { superAdmin } from '../auth/index.ts'

/** Who acts, as far as the rules of who may change whom look at it. */
export type Caller = { id: string; role: string; permissions: ReadonlySet<Permission> }
type Target = { id: string; permissions: ReadonlySet<Permission> }
type GivenRole = { name: string; permissions: ReadonlySet<Permission> }

const holdsLess = (permissions: ReadonlySet<Permission>, { permissions: own }: Caller): boolean =>
  permissions.size < own.size && [...permissions].every((permission) => own.has(permission))

/** Why somebody may not change a person, or null. Super admins change everybody, the others only those below them. */
export function whyLocked(caller: Caller, target: Target): string | null {
  if (caller.role === superAdmin) return null
  if (caller.id === target.id) return 'You cannot change your own account here'
  return holdsLess(target.permissions, caller) ? null : 'You can only change people with fewer permissions than yours'
}

/** Why somebody may not change a role, or null. */
export function whyRoleLocked(caller: Caller, permissions: ReadonlySet<Permission>): string | null {
  if (caller.role === superAdmin || holdsLess(permissions, caller)) return null
  return 'You can only change roles with fewer permissions than yours'
}

/** Why somebody may not give these permissions away, or null. */
export function whyNotGiven(caller: Caller, permissions: Iterable<Permission>): string | null {
  if (caller.role === superAdmin) return null
  const missing = [...permissions].filter((permission) => !caller.permissions.has(permission))
  if (missing.length === 0) return null
  return `You cannot give permissions that you do not have: ${missing.map((one) => permissionTexts[one].name).join(', ')}`
}

/** Why no role but that of super admins may hold these permissions, or null. */
export function whyNotInRole(permissions: Iterable<Permission>): string | null {
  const kept = [...permissions].find((permission) => permission === 'admin.sql_write')
  return kept === undefined ? null : `${permissionTexts[kept].name} is for super admins only`
}

/** Why somebody may not give a role to a person, or null. */
export function whyRoleNotGiven(caller: Caller, role: GivenRole): string | null {
  // Permissions that are equal today are not tomorrow: a super admin also holds what a later version adds.
  if (role.name === superAdmin && caller.role !== superAdmin) return 'Only a super admin can make a super admin'
  return whyNotGiven(caller, role.permissions)
}

/** Throws `forbidden` when there is a reason why not. */
export function refuseIf(reason: string | null): void {
  if (reason !== null) throw new AppError('forbidden', reason)
}

/** Nobody does this to themselves: it would end their own access, or go round the proof of the password. */
export function refuseSelf(caller: Caller, id: string, what: string): void {
  if (caller.id === id) throw new AppError('conflict', `You cannot ${what}`)
}
