import { isPermission, type Permission } from '@agency/contract/permissions'
import type { Actor, AppContext } from '../../context.ts'
import { adminKeyActor, permissionsOf, stageOf } from './actors.ts'
import { makersPermissions } from './makers-permissions.ts'
import { findAdminKeySetting } from './queries/admin-key.ts'
import { findApiKeyById, findPersonById } from './queries/holders.ts'

const nothing: ReadonlySet<Permission> = new Set()

/** What somebody who is not here may do at this moment; nothing once the account or the key is gone, off or revoked. */
export async function permissionsNow(
  ctx: AppContext,
  { type, id }: Pick<Actor, 'type' | 'id'>,
): Promise<ReadonlySet<Permission>> {
  if (type === 'user') return permissionsOfPerson(ctx, id)
  if (type === 'api_key') return permissionsOfKey(ctx, id)
  if (type !== 'admin_key') return nothing
  const setting = await findAdminKeySetting(ctx)
  return setting?.enabled ? adminKeyActor.permissions : nothing
}

async function permissionsOfPerson(ctx: AppContext, id: string): Promise<ReadonlySet<Permission>> {
  const person = await findPersonById(ctx, id)
  if (!person?.is_active || stageOf({ ...person, stage: 'open' }) !== 'open') return nothing
  return permissionsOf(person.role, person.permissions)
}

async function permissionsOfKey(ctx: AppContext, id: string): Promise<ReadonlySet<Permission>> {
  const key = await findApiKeyById(ctx, id)
  const makers = key && makersPermissions(key)
  if (!makers || key.revoked_at || (key.expires_at && key.expires_at.getTime() <= ctx.clock())) return nothing
  return new Set(key.permissions.filter(isPermission).filter((one) => makers.has(one)))
}
