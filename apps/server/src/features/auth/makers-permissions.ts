import { adminKeyActor, permissionsOf } from './actors.ts'
import { isAdminKeyOn } from './queries/admin-key.ts'
import type { ApiKeyRow } from './queries/holders.ts'

type Made = Pick<ApiKeyRow, 'created_by' | 'admin_key' | 'creator_is_active' | 'creator_role' | 'creator_permissions'>

/** What whoever made an API key may do now; nothing when that is nobody any more. */
export function makersPermissions(row: Made): ReadonlySet<string> | undefined {
  if (row.created_by === adminKeyActor.id) return isAdminKeyOn(row.admin_key) ? adminKeyActor.permissions : undefined
  if (!row.creator_is_active || row.creator_role === null) return undefined
  return permissionsOf(row.creator_role, row.creator_permissions ?? [])
}
