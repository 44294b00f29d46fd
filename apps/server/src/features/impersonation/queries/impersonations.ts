import type { SessionStage } from '@agency/contract/auth'
import type { ImpersonationPage } from '@agency/contract/impersonation'
import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { DB, Impersonations } from '../../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type ImpersonationRow = Selectable<Impersonations>

export type CustomerRow = { name: string | null; email: string | null; isDeleted: boolean }

export async function findCustomer(db: Db, id: string): Promise<CustomerRow | undefined> {
  const found = await db
    .selectFrom('customers')
    .select(['name', 'email', 'status', 'deleted_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return undefined
  const { name, email, status, deleted_at } = found
  return { name, email, isDeleted: deleted_at !== null || status === 'deleted' }
}

export const findImpersonation = (db: Db, id: string): Promise<ImpersonationRow | undefined> =>
  db.selectFrom('impersonations').selectAll().where('id', '=', id).executeTakeFirst()

export const findLiveIn = (db: Db, sessionId: string): Promise<ImpersonationRow | undefined> =>
  db
    .selectFrom('impersonations')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('state', '=', 'live')
    .executeTakeFirst()

/** Undefined when the session has a live view already. */
export const insertImpersonation = (tx: Tx, row: Insertable<Impersonations>): Promise<ImpersonationRow | undefined> =>
  tx
    .insertInto('impersonations')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').where('state', '=', 'live').doNothing())
    .returningAll()
    .executeTakeFirst()

/** Undefined when it is in another state by now. */
export const patchImpersonation = (
  tx: Tx,
  { id, state }: Pick<ImpersonationRow, 'id' | 'state'>,
  change: Updateable<Impersonations>,
): Promise<ImpersonationRow | undefined> =>
  tx
    .updateTable('impersonations')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()

export async function notePage(db: Db, id: string, page: ImpersonationPage, at: Date): Promise<void> {
  await db
    .insertInto('impersonation_pages')
    .values({ impersonation_id: id, page, first_seen_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findPages(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('impersonation_pages')
    .select('page')
    .where('impersonation_id', '=', id)
    .orderBy('first_seen_at')
    .orderBy('page')
    .execute()
  return rows.map(({ page }) => page)
}

/** Portal sessions that were asked for and of which nothing was heard since. */
export const findForgotten = (db: Db, before: Date): Promise<ImpersonationRow[]> =>
  db
    .selectFrom('impersonations')
    .selectAll()
    .where('state', '=', 'requested')
    .where('started_at', '<', before)
    .execute()

/** The live views with what they depend on. */
export const findLiveViews = (db: Db) =>
  db
    .selectFrom('impersonations')
    .leftJoin('sessions', 'sessions.id', 'impersonations.session_id')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'impersonations.actor_id').on('impersonations.actor_type', '=', 'user'),
    )
    .leftJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('customers', (join) =>
      join
        .onRef('customers.id', '=', 'impersonations.customer_id')
        .on('customers.deleted_at', 'is', null)
        .on('customers.status', '<>', 'deleted'),
    )
    .selectAll('impersonations')
    .select([
      'sessions.id as live_session_id',
      'sessions.idle_expires_at',
      'sessions.expires_at',
      'sessions.revoked_at',
      'sessions.revoked_reason',
      'users.is_active',
      'users.totp_enabled_at',
      'roles.name as role',
      'roles.permissions',
      'roles.requires_second_factor',
      'customers.id as live_customer_id',
    ])
    .select((row) => row.ref('sessions.stage').$castTo<SessionStage>().as('stage'))
    .where('impersonations.state', '=', 'live')
    .execute()

export type LiveViewRow = Awaited<ReturnType<typeof findLiveViews>>[number]

/** Whether there is anything at all that may be over. */
export async function hasOpen(db: Db): Promise<boolean> {
  const open = await db
    .selectFrom('impersonations')
    .select('id')
    .where('state', 'in', ['live', 'requested'])
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}
