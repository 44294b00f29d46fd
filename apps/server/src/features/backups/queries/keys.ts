import type { Selectable } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { BackupKeys } from '../../../db/types.ts'

type Db = Pick<AppContext, 'db'>

export const findKeys = ({ db }: Db): Promise<Selectable<BackupKeys>[]> =>
  db.selectFrom('backup_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()

export async function insertKey({ db }: Db, key: { id: string; sealed: string; created_at: Date }): Promise<void> {
  await db
    .insertInto('backup_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export async function markPrinted({ db }: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('backup_keys').set({ printed_at: at }).where('id', '=', id).execute()
}
