import type { Insertable, Selectable, Updateable } from 'kysely'
import type { AppContext, RequestContext, TransactionContext } from '../../../context.ts'
import type { SqlSnippets } from '../../../db/types.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

export type SnippetRow = Selectable<SqlSnippets>

export const findSnippets = ({ db, actor }: Db & Pick<RequestContext, 'actor'>): Promise<SnippetRow[]> =>
  db
    .selectFrom('sql_snippets')
    .selectAll()
    .where((row) =>
      row.or([
        row('is_shared', '=', true),
        row.and([row('owner_type', '=', actor.type), row('owner_id', '=', actor.id)]),
      ]),
    )
    .orderBy('name')
    .orderBy('id')
    .execute()

export const findSnippet = ({ db }: Db, id: string): Promise<SnippetRow | undefined> =>
  db.selectFrom('sql_snippets').selectAll().where('id', '=', id).executeTakeFirst()

export const lockSnippet = ({ db }: Tx, id: string): Promise<SnippetRow | undefined> =>
  db.selectFrom('sql_snippets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function countSnippetsOf({ db, actor }: Db & Pick<RequestContext, 'actor'>): Promise<number> {
  const { kept } = await db
    .selectFrom('sql_snippets')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .where('owner_type', '=', actor.type)
    .where('owner_id', '=', actor.id)
    .executeTakeFirstOrThrow()
  return Number(kept)
}

export async function insertSnippet({ db }: Tx, row: Insertable<SqlSnippets>): Promise<void> {
  await db.insertInto('sql_snippets').values(row).execute()
}

export async function patchSnippet({ db }: Tx, id: string, change: Updateable<SqlSnippets>): Promise<void> {
  await db.updateTable('sql_snippets').set(change).where('id', '=', id).execute()
}

export async function deleteSnippetRow({ db }: Tx, id: string): Promise<void> {
  await db.deleteFrom('sql_snippets').where('id', '=', id).execute()
}
