import type { Role } from '@agency/contract/types'
import type { TransactionContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { refuseIf, whyRoleNotGiven } from '../hierarchy.ts'
import { findRoleToGive } from '../queries/roles.ts'

/** The role, if there is one and the caller may give it. */
export async function getRoleToGive(tx: TransactionContext, id: string): Promise<Role> {
  const role = await findRoleToGive(tx, id)
  if (!role) throw invalidParameter('role_id', 'must be the id of a role')
  refuseIf(whyRoleNotGiven(tx.actor, { name: role.name, permissions: new Set(role.permissions) }))
  return role
}
