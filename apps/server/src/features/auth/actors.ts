import { isPermission, type Permission, permissions } from '@agency/contract/permissions'
import type { Actor } from '../../context.ts'
import type { HolderRow } from './queries/holders.ts'

const everything: ReadonlySet<Permission> = new Set(permissions)
const nothing: ReadonlySet<Permission> = new Set()

export const superAdmin = 'super_admin'

export const adminKeyActor: Actor = {
  type: 'admin_key',
  id: 'admin_key',
  name: 'Admin key',
  role: superAdmin,
  permissions: everything,
}

/** A super admin holds everything, also what a later version adds. */
export const permissionsOf = (role: string, held: readonly string[]): ReadonlySet<Permission> =>
  role === superAdmin ? everything : new Set(held.filter(isPermission))

/** How far a session is. Whether a second factor has to be set up is what the role says now, not at the sign-in. */
export function stageOf(row: Pick<HolderRow, 'stage' | 'requires_second_factor' | 'totp_enabled_at'>) {
  if (row.stage !== 'open' && row.stage !== 'enrolment') return row.stage
  return row.requires_second_factor && row.totp_enabled_at === null ? 'enrolment' : 'open'
}

/** Who a session stands for now: name, role and permissions are those of this moment, not of the sign-in. */
export function actorOfSession(row: HolderRow): Actor {
  if (row.actor_type === 'admin_key') return { ...adminKeyActor, sessionId: row.id, stage: 'open' }
  const stage = stageOf(row)
  const role = row.user_role ?? 'none'
  return {
    type: 'user',
    id: row.actor_id,
    name: row.user_name ?? row.actor_name,
    role,
    permissions: stage === 'open' ? permissionsOf(role, row.user_permissions ?? []) : nothing,
    sessionId: row.id,
    stage,
  }
}
