import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'

export type LinkRow = { alert_id: string; address: string; expires_at: Date; used_at: Date | null }

export async function insertLink(
  { db }: Pick<AppContext, 'db'>,
  row: { token_hash: Buffer; alert_id: string; address: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await db.insertInto('acknowledge_links').values(row).execute()
}

export async function findLink({ db }: Pick<AppContext, 'db'>, hash: Buffer): Promise<LinkRow | undefined> {
  const { rows } = await sql<LinkRow>`
    select alert_id, address, expires_at, used_at from acknowledge_links where token_hash = ${hash}`.execute(db)
  return rows[0]
}

/** Answers false when it was used or is over: only one of two that come at once uses it. */
export async function useLinkRow({ db }: Pick<TransactionContext, 'db'>, hash: Buffer, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update acknowledge_links set used_at = ${at}
    where token_hash = ${hash} and used_at is null and expires_at > ${at} returning 1`.execute(db)
  return rows.length > 0
}

export async function deleteLinksBefore({ db }: Pick<AppContext, 'db'>, before: Date): Promise<void> {
  await sql`delete from acknowledge_links where expires_at < ${before}`.execute(db)
}
