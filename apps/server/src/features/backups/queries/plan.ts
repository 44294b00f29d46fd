import { type Selectable, sql, type Updateable } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { BackupPlan } from '../../../db/types.ts'

type Db = Pick<AppContext, 'db'>

export type PlanRow = Selectable<BackupPlan>

export const findPlan = ({ db }: Db): Promise<PlanRow> =>
  db.selectFrom('backup_plan').selectAll().executeTakeFirstOrThrow()

export const lockPlan = ({ db }: Db): Promise<PlanRow> =>
  db.selectFrom('backup_plan').selectAll().forUpdate().executeTakeFirstOrThrow()

export async function patchPlan({ db }: Db, change: Updateable<BackupPlan>): Promise<void> {
  await db.updateTable('backup_plan').set(change).execute()
}

/** Those that nobody made by hand, beyond so many newest. */
export async function findSurplus({ db }: Db, keep: number): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from (
      select id, name, row_number() over (partition by cause order by created_at desc, id desc) as place
      from backups where state = 'done' and cause in ('schedule', 'before_restore')
    ) made where place > ${keep}`.execute(db)
  return rows
}
