import type { AppContext, TransactionContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>
type Key = { scheduleId: string; receiverId: string }

/** Since when, by receiver. */
export type Unsubscribed = ReadonlyMap<string, Date>

export async function findUnsubscribed(
  { db }: Db,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, Unsubscribed>> {
  if (scheduleIds.length === 0) return new Map()
  const rows = await db.selectFrom('report_unsubscribes').selectAll().where('schedule_id', 'in', scheduleIds).execute()
  const bySchedule = Map.groupBy(rows, ({ schedule_id }) => schedule_id)
  return new Map([...bySchedule].map(([id, own]) => [id, new Map(own.map(({ receiver_id, at }) => [receiver_id, at]))]))
}

export const unsubscribedFrom = async (ctx: Db, scheduleId: string): Promise<Unsubscribed> =>
  (await findUnsubscribed(ctx, [scheduleId])).get(scheduleId) ?? new Map()

/** Answers false where it was so already. */
export async function insertUnsubscribe({ db }: Tx, { scheduleId, receiverId }: Key, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('report_unsubscribes')
    .values({ schedule_id: scheduleId, receiver_id: receiverId, at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteUnsubscribe({ db }: Tx, { scheduleId, receiverId }: Key): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('report_unsubscribes')
    .where('schedule_id', '=', scheduleId)
    .where('receiver_id', '=', receiverId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** The mails of a schedule that were written to somebody. */
export async function findMailIds({ db }: Tx, { scheduleId, receiverId }: Key): Promise<string[]> {
  const rows = await db
    .selectFrom('report_receivers as r')
    .innerJoin('report_deliveries as d', 'd.id', 'r.delivery_id')
    .select('r.mail_id')
    .where('d.schedule_id', '=', scheduleId)
    .where('r.receiver_id', '=', receiverId)
    .execute()
  return rows.flatMap(({ mail_id }) => mail_id ?? [])
}
