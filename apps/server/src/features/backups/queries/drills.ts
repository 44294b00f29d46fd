import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { BackupDrills } from '../../../db/types.ts'
import { type BackupRow, progressOf } from './backups.ts'

type Db = Pick<AppContext, 'db'>

export type DrillRow = Selectable<BackupDrills>

export async function insertDrill({ db }: Db, row: Insertable<BackupDrills>): Promise<void> {
  await db.insertInto('backup_drills').values(row).execute()
}

export const findDrill = ({ db }: Db, id: string): Promise<DrillRow | undefined> =>
  db.selectFrom('backup_drills').selectAll().where('id', '=', id).executeTakeFirst()

export async function findOpenDrill({ db }: Db): Promise<DrillRow | undefined> {
  await sql`lock table backup_drills in share row exclusive mode`.execute(db)
  return db.selectFrom('backup_drills').selectAll().where('state', '=', 'open').executeTakeFirst()
}

export async function patchDrill({ db }: Db, id: string, change: Updateable<BackupDrills>): Promise<void> {
  await db.updateTable('backup_drills').set(change).where('id', '=', id).where('state', '=', 'open').execute()
}

export const findNewestDone = ({ db }: Db): Promise<BackupRow | undefined> =>
  db
    .selectFrom('backups')
    .selectAll()
    .where('state', '=', 'done')
    .where('type', '=', 'full')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findNewestDrill = ({ db }: Db): Promise<DrillRow | undefined> =>
  db.selectFrom('backup_drills').selectAll().orderBy('created_at', 'desc').limit(1).executeTakeFirst()

const columns = `d.id, d.backup_id, d.backup_name, iso_utc(d.snapshot_at) as snapshot_at, d.state, d.reason, d.report,
  case when d.state = 'open' then ${progressOf('d.id')} end as progress, iso_utc(d.created_at) as created_at,
  iso_utc(d.finished_at) as finished_at`

const shown = 5

/** Newest first, as the API answers them. */
export async function findShownDrills({ db }: Db, id?: string): Promise<unknown[]> {
  const one = id === undefined ? sql`` : sql`where d.id = ${id}`
  const { rows } = await sql<{ row: unknown }>`
    select row_to_json(x) as row from (
      select ${sql.raw(columns)} from backup_drills d ${one} order by d.created_at desc, d.id desc limit ${shown}
    ) x`.execute(db)
  return rows.map(({ row }) => row)
}

/** When a backup was last proven by restoring it, and when one was last made. */
export async function findStanding({
  db,
}: Db): Promise<{ provenAt: Date | null; madeAt: Date | null; failedAt: Date | null }> {
  const { rows } = await sql<{ proven: Date | null; made: Date | null; failed: Date | null }>`
    select (select max(finished_at) from backup_drills where state = 'done') as proven,
      (select max(snapshot_at) from backups where state = 'done') as made,
      (select max(finished_at) from backups where state = 'failed') as failed`.execute(db)
  const [row] = rows
  return { provenAt: row?.proven ?? null, madeAt: row?.made ?? null, failedAt: row?.failed ?? null }
}
