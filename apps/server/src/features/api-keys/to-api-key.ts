import type { ApiKey } from '@agency/contract/api-keys'
import { isKeyScope, isPermission } from '@agency/contract/permissions'
import { makersPermissions } from '../auth/index.ts'
import type { KeyRow } from './queries.ts'
import { isActive, stateOf } from './state.ts'

function previousOf({ previous_prefix, previous_expires_at }: KeyRow, now: number): ApiKey['previous'] {
  if (previous_prefix === null || !previous_expires_at || previous_expires_at.getTime() <= now) return null
  return { key_prefix: previous_prefix, expires_at: previous_expires_at.toISOString() }
}

/** A key as everybody with the permission may see it: neither the key nor its hash. */
export function toApiKey(row: KeyRow, now: number): ApiKey {
  const makers = makersPermissions(row)
  const state = stateOf({ ...row, hasMaker: makers !== undefined }, now)
  const permissions = row.permissions.filter((one) => isPermission(one) || isKeyScope(one))
  return {
    id: row.id,
    name: row.name,
    key_prefix: row.key_prefix,
    permissions,
    effective_permissions: isActive(state) ? permissions.filter((one) => isKeyScope(one) || makers?.has(one)) : [],
    last_used: row.last_used_at?.toISOString() ?? null,
    last_used_address: row.last_used_address,
    last_used_endpoint: row.last_used_endpoint,
    use_count: row.use_count,
    expires_at: row.expires_at?.toISOString() ?? null,
    is_active: isActive(state),
    state,
    rate_limit_per_minute: row.rate_limit_per_minute,
    allowed_origins: row.allowed_origins,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by_name,
    previous: isActive(state) ? previousOf(row, now) : null,
  }
}
