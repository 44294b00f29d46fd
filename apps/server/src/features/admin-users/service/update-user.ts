import type { adminUsers } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { AdminUser } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { revokeLinks, superAdmin } from '../../auth/index.ts'
import { changePerson, refuseLastSuperAdmin } from '../change-person.ts'
import { refuseSelf } from '../hierarchy.ts'
import { type LockedUser, patchUser } from '../queries/users.ts'
import { getUser } from './get-user.ts'
import { getRoleToGive } from './give-role.ts'

type Change = BodyOf<typeof adminUsers.updateUser>

export async function updateUser(ctx: RequestContext, id: string, given: Change): Promise<{ user: AdminUser }> {
  await changePerson(ctx, id, 'user.update', async (tx, person) => {
    const role = await newRole(tx, person, given.role_id)
    const change = {
      ...(given.name !== undefined && given.name !== person.name && { name: given.name }),
      ...(given.email !== undefined && given.email !== person.email && { email: given.email }),
      ...(role && { role_id: role.id }),
    }
    if (Object.keys(change).length === 0) return
    await patchUser(tx, id, change)
    // A link that was sent to the old address must not let in whoever reads it there.
    const revoked = change.email === undefined ? 0 : await revokeLinks(tx, id)
    const { role_id: _role, ...fields } = change
    await recordAudit(tx, {
      action: 'user.update',
      resource: 'user',
      id,
      before: {
        name: person.name,
        ...(fields.email !== undefined && { email: person.email }),
        ...(role && { role: person.role }),
      },
      after: {
        name: person.name,
        ...fields,
        ...(role && { role: role.name }),
        ...(revoked > 0 && { revoked_links: revoked }),
      },
    })
  })
  return { user: await getUser(ctx, id) }
}

async function newRole(tx: TransactionContext, person: LockedUser, roleId: string | undefined) {
  if (roleId === undefined || roleId === person.role_id) return undefined
  refuseSelf(tx.actor, person.id, 'change your own role')
  const role = await getRoleToGive(tx, roleId)
  if (role.name !== superAdmin) await refuseLastSuperAdmin(tx, person)
  return role
}
