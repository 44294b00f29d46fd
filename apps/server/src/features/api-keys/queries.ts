import type { Insertable, Updateable } from 'kysely'
import type { AppContext, TransactionContext } from '../../context.ts'
import type { ApiKeys } from '../../db/types.ts'

type Db = Pick<AppContext, 'db'>

const keys = ({ db }: Db) =>
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
      'api_keys.key_prefix',
      'api_keys.key_hash',
      'api_keys.permissions',
      'api_keys.rate_limit_per_minute',
      'api_keys.allowed_origins',
      'api_keys.created_at',
      'api_keys.created_by',
      'api_keys.created_by_name',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.previous_prefix',
      'api_keys.previous_expires_at',
      'api_keys.last_used_at',
      'api_keys.last_used_address',
      'api_keys.last_used_endpoint',
      'api_keys.use_count',
      'users.is_active as creator_is_active',
      'roles.name as creator_role',
      'roles.permissions as creator_permissions',
      'admin_key.value as admin_key',
    ])

/** A key with what its maker may do now. */
export type KeyRow = Awaited<ReturnType<typeof findKeys>>[number]

export const findKeys = (ctx: Db) =>
  keys(ctx).orderBy('api_keys.created_at', 'desc').orderBy('api_keys.id', 'desc').execute()

export const findKey = (ctx: Db, id: string) => keys(ctx).where('api_keys.id', '=', id).executeTakeFirst()

/** Nobody else changes the key until the transaction ends. */
export const lockKey = (tx: TransactionContext, id: string) =>
  keys(tx).where('api_keys.id', '=', id).forUpdate('api_keys').executeTakeFirst()

export async function insertKey(tx: TransactionContext, row: Insertable<ApiKeys>): Promise<void> {
  await tx.db.insertInto('api_keys').values(row).execute()
}

export async function patchKey(tx: TransactionContext, id: string, change: Updateable<ApiKeys>): Promise<void> {
  await tx.db.updateTable('api_keys').set(change).where('id', '=', id).execute()
}

/** Keys that end before a time, the next first. */
export const findEnding = ({ db }: Db, now: Date, before: Date) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'expires_at', 'reminded_days'])
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', before)
    .orderBy('expires_at')
    .execute()
