import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { TransactionContext } from '../../../context.ts'
import type { DB, Mails } from '../../../db/types.ts'

type Db = { db: Kysely<DB> }
type Tx = Pick<TransactionContext, 'db'>

export type MailState = 'queued' | 'sent' | 'kept' | 'failed'
export type MailRow = Selectable<Mails>

export async function insertMail(tx: Tx, row: Insertable<Mails>): Promise<void> {
  await tx.db.insertInto('mails').values(row).execute()
}

export async function insertAttachments(
  { db }: Tx,
  mailId: string,
  attachments: readonly { fileName: string; contentType: string; bytes: Buffer }[],
): Promise<void> {
  if (attachments.length === 0) return
  const rows = attachments.map(({ fileName, contentType, bytes }, position) => ({
    ...{ mail_id: mailId, position, file_name: fileName, content_type: contentType, bytes },
  }))
  await db.insertInto('mail_attachments').values(rows).execute()
}

export const findAttachments = ({ db }: Db, mailId: string) =>
  db.selectFrom('mail_attachments').selectAll().where('mail_id', '=', mailId).orderBy('position').execute()

export function findMail({ db }: Db, id: string): Promise<MailRow | undefined> {
  return db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Nobody else changes the row until the transaction ends. */
export function lockMail({ db }: Tx, id: string): Promise<MailRow | undefined> {
  return db.selectFrom('mails').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export type Outcome = { state: MailState; error: string | null; sentAt?: Date; isTry: boolean }

/** Only of a mail that waits: what was sent stays sent. */
export async function saveOutcome({ db }: Db, id: string, { state, error, sentAt, isTry }: Outcome): Promise<void> {
  await db
    .updateTable('mails')
    .set((eb) => ({
      state,
      error,
      ...(sentAt && { sent_at: sentAt }),
      ...(isTry && { attempts: eb('attempts', '+', 1) }),
    }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()
}

export async function queueAgain({ db }: Tx, id: string): Promise<void> {
  await db.updateTable('mails').set({ state: 'queued', error: null }).where('id', '=', id).execute()
}

/** Mails that have waited for so long that whoever was to send them is gone. */
export async function findForgotten({ db }: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('mails')
    .select('id')
    .where('state', '=', 'queued')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(1000)
    .execute()
  return rows.map(({ id }) => id)
}

/** What was written to a customer, whatever became of it; answers how many mails. Kinds that name one end with its id. */
export async function deleteMailsTo({ db }: Tx, customerId: string, address: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mails where user_id is null and kind like 'customer.%' and (
      kind like ${`%:${customerId}`} or (kind not like '%:%' and lower(to_address) = lower(${address}::text))
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Those that still wait to be sent are not; what was sent stays sent. */
export async function withdrawMails({ db }: Tx, ids: readonly string[], error: string): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('mails')
    .set({ state: 'failed', error })
    .where('id', 'in', ids)
    .where('state', '=', 'queued')
    .execute()
}

/** What still waits is never deleted. */
export async function deleteOldMails({ db }: Db, before: Date): Promise<void> {
  await db.deleteFrom('mails').where('created_at', '<', before).where('state', '<>', 'queued').execute()
}

export async function countWaiting({ db }: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from mails where state in ('queued', 'kept', 'failed')`.execute(db)
  return rows[0]?.waiting ?? 0
}
