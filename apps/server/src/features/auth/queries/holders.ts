import type { SessionStage, Theme } from '@agency/contract/auth'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

const holders = ({ db }: Db) =>
  db
    .selectFrom('sessions')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'sessions.actor_id').on('sessions.actor_type', '=', 'user'),
    )
    .leftJoin('roles', 'roles.id', 'users.role_id')
    .select([
      'sessions.id',
      'sessions.actor_type',
      'sessions.actor_id',
      'sessions.actor_name',
      'sessions.created_at',
      'sessions.hidden_since',
      'sessions.idle_expires_at',
      'sessions.expires_at',
      'sessions.revoked_at',
      'users.name as user_name',
      'users.email as user_email',
      'users.is_active as user_is_active',
      'users.totp_enabled_at',
      'users.temporary_password_expires_at',
      'roles.name as user_role',
      'roles.display_name as user_role_name',
      'roles.permissions as user_permissions',
      'roles.requires_second_factor',
    ])
    .select((row) => [
      row.ref('sessions.stage').$castTo<SessionStage>().as('stage'),
      row.ref('users.theme').$castTo<Theme | null>().as('user_theme'),
    ])

/** A session with whom it stands for. */
export type HolderRow = NonNullable<Awaited<ReturnType<typeof findHolderById>>>

export const findHolderByKey = (ctx: Db, keyHash: Buffer) =>
  holders(ctx).where('sessions.key_hash', '=', keyHash).executeTakeFirst()

export const findHolderById = (ctx: Db, id: string) => holders(ctx).where('sessions.id', '=', id).executeTakeFirst()

export type ApiKeyRow = NonNullable<Awaited<ReturnType<typeof findApiKeyByHash>>>

const apiKeys = ({ db }: Db) =>
  db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.created_by')
    .leftJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('instance_settings as admin_key', (join) =>
      join.on('admin_key.key', '=', 'admin_key').on('api_keys.created_by', '=', 'admin_key'),
    )
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.permissions',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.rate_limit_per_minute',
      'api_keys.allowed_origins',
      'api_keys.key_hash',
      'api_keys.previous_expires_at',
      'api_keys.created_by',
      'users.is_active as creator_is_active',
      'roles.name as creator_role',
      'roles.permissions as creator_permissions',
      'admin_key.value as admin_key',
    ])

/** The key of this secret, or the one that it belonged to until the last re-roll, with what its maker may do now. */
export const findApiKeyByHash = (ctx: Db, hash: Buffer) =>
  apiKeys(ctx)
    .where((either) => either.or([either('api_keys.key_hash', '=', hash), either('api_keys.previous_hash', '=', hash)]))
    .executeTakeFirst()

export const findApiKeyById = (ctx: Db, id: string) => apiKeys(ctx).where('api_keys.id', '=', id).executeTakeFirst()

export const findPersonById = ({ db }: Db, id: string) =>
  db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(['users.is_active', 'users.totp_enabled_at', 'roles.name as role', 'roles.permissions'])
    .select('roles.requires_second_factor')
    .where('users.id', '=', id)
    .executeTakeFirst()

export async function noteApiKeyUse(
  { db }: Db,
  use: { id: string; count: number; at: Date; address: string; endpoint: string },
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((row) => ({
      use_count: row('use_count', '+', use.count),
      last_used_at: use.at,
      last_used_address: use.address,
      last_used_endpoint: use.endpoint,
    }))
    .where('id', '=', use.id)
    .execute()
}
