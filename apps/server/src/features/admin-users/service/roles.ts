import { randomUUID } from 'node:crypto'
import type { adminUsers } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { Role } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { type About, changeAccess } from '../change-person.ts'
import { refuseIf, whyNotGiven, whyNotInRole, whyRoleLocked } from '../hierarchy.ts'
import {
  countPeopleWith,
  deleteRoleRow,
  findRole,
  findRoleNames,
  insertRole,
  lockRole,
  patchRole,
} from '../queries/roles.ts'
import { roleNameOf } from '../role-name.ts'

type NewRole = BodyOf<typeof adminUsers.createRole>
type RoleChange = BodyOf<typeof adminUsers.updateRole>

async function getRole(ctx: RequestContext, id: string): Promise<Role> {
  const role = await findRole(ctx, id)
  if (!role) throw notFound('This role')
  return role
}

export async function createRole(ctx: RequestContext, given: NewRole): Promise<{ role: Role }> {
  const id = randomUUID()
  const about: About = { action: 'role.create', resource: 'role', id, name: given.display_name }
  await changeAccess(ctx, about, async (tx) => {
    refuseIf(whyNotGiven(tx.actor, given.permissions) ?? whyNotInRole(given.permissions))
    const now = new Date(tx.clock())
    const fields = { ...given, permissions: [...new Set(given.permissions)] }
    const name = roleNameOf(given.display_name, await findRoleNames(tx))
    await insertRole(tx, { id, name, ...fields, created_at: now, updated_at: now })
    await recordAudit(tx, { action: 'role.create', resource: 'role', id, after: { name, ...fields } })
  })
  return { role: await getRole(ctx, id) }
}

async function lockChangeable(tx: TransactionContext, about: About): Promise<Role> {
  const role = await lockRole(tx, about.id)
  if (!role) throw notFound('This role')
  about.name = role.display_name
  refuseIf(whyRoleLocked(tx.actor, new Set(role.permissions)))
  return role
}

export async function updateRole(ctx: RequestContext, id: string, given: RoleChange): Promise<{ role: Role }> {
  const about: About = { action: 'role.update', resource: 'role', id }
  await changeAccess(ctx, about, async (tx) => {
    const role = await lockChangeable(tx, about)
    const changed = differences(role, given)
    const names = Object.keys(changed) as (keyof RoleChange)[]
    if (names.length === 0) return
    if (role.is_system_role && names.some((name) => name !== 'requires_second_factor'))
      throw new AppError('conflict', 'System roles are fixed, except for two-step verification')
    const wanted = changed.permissions ?? []
    refuseIf(whyNotGiven(tx.actor, wanted) ?? whyNotInRole(wanted))
    await patchRole(tx, id, changed)
    await recordAudit(tx, {
      action: 'role.update',
      resource: 'role',
      id,
      before: { display_name: role.display_name, ...Object.fromEntries(names.map((name) => [name, role[name]])) },
      after: { display_name: role.display_name, ...changed },
    })
  })
  return { role: await getRole(ctx, id) }
}

/** What is given and not so already. */
function differences(role: Role, given: RoleChange): RoleChange {
  const { permissions, ...others } = given
  const changed = Object.entries(others).filter(
    ([name, value]) => value !== undefined && value !== role[name as keyof typeof others],
  )
  const wanted = permissions && [...new Set(permissions)].sort()
  const isSame = wanted === undefined || wanted.join() === [...role.permissions].sort().join()
  return { ...Object.fromEntries(changed), ...(isSame ? {} : { permissions: wanted }) }
}

export function deleteRole(ctx: RequestContext, id: string): Promise<{ success: true }> {
  const about: About = { action: 'role.delete', resource: 'role', id }
  return changeAccess(ctx, about, async (tx) => {
    const role = await lockChangeable(tx, about)
    if (role.is_system_role) throw new AppError('conflict', 'A system role cannot be deleted')
    const people = await countPeopleWith(tx, id)
    if (people > 0) {
      const whose = people === 1 ? 'One person has' : `${people.toLocaleString('en-US')} people have`
      throw new AppError('conflict', `${whose} this role. Give them another one first.`)
    }
    await deleteRoleRow(tx, id)
    const { name, display_name, permissions } = role
    await recordAudit(tx, { action: 'role.delete', resource: 'role', id, before: { name, display_name, permissions } })
    return { success: true as const }
  })
}
