import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { ReportSchedules } from '../../../db/types.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

export type ScheduleRow = Selectable<ReportSchedules>

export const insertSchedule = async ({ db }: Tx, row: Insertable<ReportSchedules>): Promise<void> => {
  await db.insertInto('report_schedules').values(row).execute()
}

export const findSchedule = ({ db }: Db, id: string): Promise<ScheduleRow | undefined> =>
  db.selectFrom('report_schedules').selectAll().where('id', '=', id).executeTakeFirst()

/** Nobody else changes the row until the transaction ends. */
export const lockSchedule = ({ db }: Tx, id: string): Promise<ScheduleRow | undefined> =>
  db.selectFrom('report_schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function findSchedules({ db }: Db, customerId: string | undefined): Promise<ScheduleRow[]> {
  let query = db.selectFrom('report_schedules').selectAll().orderBy('created_at').orderBy('id')
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId)
  return query.execute()
}

export async function countSchedules({ db }: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from report_schedules`.execute(db)
  return rows[0]?.count ?? 0
}

export async function findDueIds({ db }: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('report_schedules')
    .select('id')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(500)
    .execute()
  return rows.map(({ id }) => id)
}

type Change = Omit<Updateable<ReportSchedules>, 'id' | 'version'>

/** A change that somebody made. */
export async function changeSchedule({ db }: Tx, id: string, change: Change): Promise<void> {
  await db
    .updateTable('report_schedules')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Its next date: nobody who is editing it is disturbed by that. */
export async function moveSchedule({ db }: Tx, id: string, nextAt: Date): Promise<void> {
  await db.updateTable('report_schedules').set({ next_at: nextAt }).where('id', '=', id).execute()
}

export async function deleteSchedule({ db }: Tx, id: string): Promise<void> {
  await db.deleteFrom('report_schedules').where('id', '=', id).execute()
}

export type LastDelivery = { schedule_id: string; at: Date; state: 'open' | 'done' | 'failed'; reason: string | null }

export async function findLast({ db }: Db, ids: readonly string[]): Promise<ReadonlyMap<string, LastDelivery>> {
  const { rows } = await sql<LastDelivery>`
    select distinct on (schedule_id) schedule_id, created_at as at, state, reason from report_deliveries
    where schedule_id = any(${[...ids]}) order by schedule_id, created_at desc, id desc`.execute(db)
  return new Map(rows.map((row) => [row.schedule_id, row]))
}
