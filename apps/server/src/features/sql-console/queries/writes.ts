import type { Insertable, Selectable, Updateable } from 'kysely'
import type { AppContext, RequestContext } from '../../../context.ts'
import type { SqlWrites } from '../../../db/types.ts'

type Db = Pick<AppContext, 'db'>

export type WriteRow = Selectable<SqlWrites> & { query: string; actor_type: string; actor_id: string }

export async function insertWrite({ db }: Db, row: Insertable<SqlWrites>): Promise<void> {
  await db.insertInto('sql_writes').values(row).execute()
}

const joined = ({ db }: Db) =>
  db
    .selectFrom('sql_writes')
    .innerJoin('sql_queries', 'sql_queries.id', 'sql_writes.id')
    .selectAll('sql_writes')
    .select(['sql_queries.query', 'sql_queries.actor_type', 'sql_queries.actor_id'])

export const findWrite = (ctx: Db, id: string): Promise<WriteRow | undefined> =>
  joined(ctx).where('sql_writes.id', '=', id).executeTakeFirst()

export const findPendingOf = (ctx: Db & Pick<RequestContext, 'actor'>): Promise<WriteRow[]> =>
  joined(ctx)
    .where('sql_writes.state', '=', 'pending')
    .where('sql_queries.actor_type', '=', ctx.actor.type)
    .where('sql_queries.actor_id', '=', ctx.actor.id)
    .orderBy('sql_writes.started_at', 'desc')
    .execute()

/** Of these, those that somebody asked another process to end. */
export const findWanted = (ctx: Db, ids: readonly string[]): Promise<WriteRow[]> =>
  joined(ctx)
    .where('sql_writes.id', 'in', [...ids])
    .where('sql_writes.wanted', 'is not', null)
    .where('sql_writes.state', '=', 'pending')
    .execute()

export const findPendingBefore = (ctx: Db, before: Date): Promise<WriteRow[]> =>
  joined(ctx).where('sql_writes.state', '=', 'pending').where('sql_writes.started_at', '<', before).execute()

/** Only of one that is pending; answers whether it was. */
export async function patchPending({ db }: Db, id: string, change: Updateable<SqlWrites>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sql_writes')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
