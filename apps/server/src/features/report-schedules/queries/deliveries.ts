import type { ReportDelivery } from '@agency/contract/report-schedules'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { ReportDeliveries, ReportReceivers } from '../../../db/types.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

export type DeliveryRow = Selectable<ReportDeliveries>
type ReceiverRow = Selectable<ReportReceivers>

/** Answers false where somebody else has written down this date already. */
export async function insertDelivery(
  { db }: Tx,
  row: Insertable<ReportDeliveries>,
  receivers: readonly Omit<Insertable<ReportReceivers>, 'delivery_id' | 'position'>[],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('report_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  if (receivers.length === 0) return true
  const rows = receivers.map((receiver, position) => ({ delivery_id: row.id, position, ...receiver }))
  await db.insertInto('report_receivers').values(rows).execute()
  return true
}

export const findDelivery = ({ db }: Db, id: string): Promise<DeliveryRow | undefined> =>
  db.selectFrom('report_deliveries').selectAll().where('id', '=', id).executeTakeFirst()

export const hasOpenDelivery = async ({ db }: Db, scheduleId: string): Promise<boolean> =>
  (await db
    .selectFrom('report_deliveries')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('state', '=', 'open')
    .executeTakeFirst()) !== undefined

/** Only of one that is open; answers whether it was. */
export async function patchDelivery({ db }: Db, id: string, change: Updateable<ReportDeliveries>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('report_deliveries')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function patchReceiver(
  { db }: Tx,
  { deliveryId, position }: { deliveryId: string; position: number },
  change: Updateable<ReportReceivers>,
): Promise<void> {
  await db
    .updateTable('report_receivers')
    .set(change)
    .where('delivery_id', '=', deliveryId)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .execute()
}

export const findReceivers = ({ db }: Db, deliveryId: string): Promise<ReceiverRow[]> =>
  db.selectFrom('report_receivers').selectAll().where('delivery_id', '=', deliveryId).orderBy('position').execute()

export async function forgetBefore({ db }: Db, before: Date): Promise<void> {
  await db.deleteFrom('report_deliveries').where('created_at', '<', before).where('state', '<>', 'open').execute()
}

const shown = sql`
  json_build_object(
    'id', d.id, 'cause', d.cause, 'ordered_by', d.ordered_by, 'due_at', iso_utc(d.due_at),
    'first_day', d.first_day, 'last_day', d.last_day, 'state', d.state, 'reason', d.reason, 'file_problem', d.file_problem,
    'receivers', (
      select coalesce(json_agg(json_build_object(
        'name', coalesce(r.name, c.name), 'address', m.to_address,
        'state', case when r.state = 'mailed' then coalesce(m.state, 'forgotten') else r.state end,
        'reason', coalesce(r.reason, m.error), 'sent_at', iso_utc(m.sent_at)
      ) order by r.position), '[]')
      from report_receivers r left join mails m on m.id = r.mail_id left join customers c on c.id = r.receiver_id
      where r.delivery_id = d.id
    )
  )`

export async function findShown({ db }: Db, id: string): Promise<ReportDelivery | undefined> {
  const { rows } = await sql<{ delivery: ReportDelivery }>`
    select ${shown} as delivery from report_deliveries d where d.id = ${id}`.execute(db)
  return rows[0]?.delivery
}

/** Newest first. */
export async function findHistory({ db }: Db, scheduleId: string, limit: number): Promise<ReportDelivery[]> {
  const { rows } = await sql<{ delivery: ReportDelivery }>`
    select ${shown} as delivery from report_deliveries d where d.schedule_id = ${scheduleId}
    order by d.created_at desc, d.id desc limit ${limit}`.execute(db)
  return rows.map(({ delivery }) => delivery)
}
