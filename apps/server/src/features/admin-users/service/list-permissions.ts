import { permissionTexts } from '@agency/contract/permission-texts'
import { permissions } from '@agency/contract/permissions'
import type { RequestContext } from '../../../context.ts'
import { findRoles } from '../queries/roles.ts'

/** Every permission with the roles that hold it, by the names that people see. */
export async function listPermissions(ctx: RequestContext) {
  const roles = await findRoles(ctx)
  return {
    permissions: permissions.map((id) => ({
      id,
      ...permissionTexts[id],
      roles: roles.filter((role) => role.permissions.includes(id)).map((role) => role.display_name),
    })),
  }
}
