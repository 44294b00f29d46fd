import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Pool } from 'pg'
import type { AppContext, RequestContext, TransactionContext } from '../../../context.ts'
import type { SqlQueries } from '../../../db/types.ts'
import { type PageQuery, readPage } from '../../../platform/keyset.ts'
import { Values } from '../../../platform/statements.ts'

type Db = Pick<AppContext, 'db'>
type Owner = Pick<RequestContext['actor'], 'type' | 'id'>

export type QueryRow = Selectable<SqlQueries>

export async function insertQuery({ db }: Pick<TransactionContext, 'db'>, row: Insertable<SqlQueries>): Promise<void> {
  await db.insertInto('sql_queries').values(row).execute()
}

export const findQuery = ({ db }: Db, id: string): Promise<QueryRow | undefined> =>
  db.selectFrom('sql_queries').selectAll().where('id', '=', id).executeTakeFirst()

export async function noteTurn({ db }: Db, id: string, began_at: Date): Promise<void> {
  await db
    .updateTable('sql_queries')
    .set({ began_at })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute()
}

/** Only of one that runs; answers it as it ended, or undefined. */
export const endQuery = ({ db }: Db, id: string, end: Updateable<SqlQueries>): Promise<QueryRow | undefined> =>
  db
    .updateTable('sql_queries')
    .set(end)
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returningAll()
    .executeTakeFirst()

export const findUnfinished = ({ db }: Db, before: Date): Promise<Pick<QueryRow, 'id' | 'began_at'>[]> =>
  db
    .selectFrom('sql_queries')
    .select(['id', 'began_at'])
    .where('status', '=', 'processing')
    .where('executed_at', '<', before)
    .execute()

export async function forgetQueries({ db }: Db, before: Date): Promise<void> {
  await db.deleteFrom('sql_queries').where('executed_at', '<', before).execute()
}

const columns = `h.id, h.kind, h.query, h.parameters, iso_utc(h.executed_at) as executed_at,
  iso_utc(h.began_at) as began_at, h.execution_time,
  h.rows_affected, h.status, h.error, h.truncated`

/** Of one person, newest first; `search` is found anywhere in the query, as it is. */
export function findHistory(
  pool: Pool,
  owner: Owner,
  { search, ...page }: PageQuery & { search?: string | undefined },
): Promise<string> {
  const values = new Values()
  const where = [`h.actor_type = ${values.add(owner.type)} and h.actor_id = ${values.add(owner.id)}`]
  if (search) where.push(`strpos(lower(h.query), lower(${values.add(search)})) > 0`)
  return readPage(
    pool,
    'queries',
    {
      ...{ table: 'sql_queries', alias: 'h', isDescending: true, where, columns, joins: '', total: null, values },
      order: { from: 'sql_queries h', key: 'h.executed_at', id: 'h.id', isWhole: true },
      isPrepared: false,
    },
    page,
  )
}
