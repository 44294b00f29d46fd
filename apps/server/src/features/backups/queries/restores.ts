import type { RestoreLine } from '@agency/contract/backups'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Restores } from '../../../db/types.ts'
import { progressOf } from './backups.ts'

type Db = Pick<AppContext, 'db'>

export type RestoreRow = Selectable<Restores>

const openStates = ['open', 'replaying']

export async function insertRestore({ db }: Db, row: Insertable<Restores>): Promise<void> {
  await db.insertInto('restores').values(row).execute()
}

export const findRestore = ({ db }: Db, id: string): Promise<RestoreRow | undefined> =>
  db.selectFrom('restores').selectAll().where('id', '=', id).executeTakeFirst()

export const lockRestore = ({ db }: Db, id: string): Promise<RestoreRow | undefined> =>
  db.selectFrom('restores').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function findOpenRestore({ db }: Db): Promise<RestoreRow | undefined> {
  await sql`lock table restores in share row exclusive mode`.execute(db)
  return db.selectFrom('restores').selectAll().where('state', 'in', openStates).executeTakeFirst()
}

export async function hasOpenRestore({ db }: Db): Promise<boolean> {
  const found = await db.selectFrom('restores').select('id').where('state', 'in', openStates).executeTakeFirst()
  return found !== undefined
}

export async function patchRestore(
  { db }: Db,
  id: string,
  from: readonly RestoreRow['state'][],
  change: Updateable<Restores>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('restores')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The newest restore that replaced something, if what it replaced is still kept. */
export const findAside = ({ db }: Db): Promise<RestoreRow | undefined> =>
  db
    .selectFrom('restores')
    .selectAll()
    .where('aside_until', 'is not', null)
    .orderBy('switched_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function forgetAside({ db }: Db): Promise<void> {
  await db.updateTable('restores').set({ aside_until: null }).where('aside_until', 'is not', null).execute()
}

const columns = `r.id, case when r.returns_id is null then 'restore' else 'return' end as kind, r.backup_id, r.backup_name, iso_utc(r.snapshot_at) as snapshot_at, r.state, r.reason,
  case when r.state in ('open', 'replaying') then ${progressOf('r.id')} end as progress,
  r.safety_backup_id, r.report, r.aside_until is not null and r.state in ('done', 'failed') as can_return,
  iso_utc(r.aside_until) as aside_until, r.maker_name as made_by, iso_utc(r.created_at) as created_at,
  iso_utc(r.switched_at) as switched_at, iso_utc(r.finished_at) as finished_at`

const shown = 10

/** Newest first, as the API answers them. */
export async function findShownRestores({ db }: Db, id?: string): Promise<unknown[]> {
  const one = id === undefined ? sql`` : sql`where r.id = ${id}`
  const { rows } = await sql<{ row: unknown }>`
    select row_to_json(x) as row from (
      select ${sql.raw(columns)} from restores r ${one} order by r.created_at desc, r.id desc limit ${shown}
    ) x`.execute(db)
  return rows.map(({ row }) => row)
}

/** From here on the backup is in place; what an earlier restore had set aside is gone. */
export async function markSwitched(
  { db }: Db,
  { id, returns_id }: Pick<RestoreRow, 'id' | 'returns_id'>,
  { at, asideUntil, report }: { at: Date; asideUntil: Date | null; report: readonly RestoreLine[] },
): Promise<void> {
  await forgetAside({ db })
  const switched = { state: 'replaying', switched_at: at, aside_until: asideUntil, report: JSON.stringify(report) }
  if (!(await patchRestore({ db }, id, ['open'], switched))) throw new Error('The restore was given up')
  if (returns_id !== null)
    await patchRestore({ db }, returns_id, ['done', 'failed'], { state: 'returned', reason: null })
}

/** Of a backup that was in the middle of itself when it was written. */
export async function endOpenBackups({ db }: Db, at: Date): Promise<void> {
  const ended = { state: 'cancelled', finished_at: at }
  await db.updateTable('backups').set(ended).where('state', '=', 'open').execute()
  await db
    .updateTable('restores')
    .set({ ...ended, aside_until: null })
    .where('state', 'in', openStates)
    .execute()
  await db
    .updateTable('runs')
    .set({ ...ended, next_try_at: null })
    .where('name', 'like', 'backups.%')
    .where('state', 'in', ['waiting', 'running'])
    .execute()
}
