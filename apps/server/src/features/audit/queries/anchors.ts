import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditAnchors, AuditSentHeads, DB } from '../../../db/types.ts'

type Db = { db: Kysely<DB> }
export type AnchorRow = Selectable<AuditAnchors>
export type SentHead = Selectable<AuditSentHeads>

export const findAnchors = ({ db }: Db): Promise<AnchorRow[]> =>
  db.selectFrom('audit_anchors').selectAll().orderBy('last_at').execute()

type Seen = { id: string; place: string; seq: number; hash: string; at: Date }

/** Where the anchor began stays as it was first seen. */
export async function saveAnchor({ db }: Db, { id, place, seq, hash, at }: Seen): Promise<void> {
  const last = { place, last_seq: seq, last_hash: hash, last_at: at }
  await db
    .insertInto('audit_anchors')
    .values({ id, first_seq: seq, first_hash: hash, first_at: at, ...last })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(last))
    .execute()
}

export async function insertAnchor({ db }: Db, row: Insertable<AuditAnchors>): Promise<void> {
  await db
    .insertInto('audit_anchors')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteAnchors({ db }: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('audit_anchors')
      .where('id', 'in', [...ids])
      .execute()
}

/** Whether the entry at a place was written before an instant. */
export async function isWrittenBefore({ db }: Db, seq: number, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from audit_chain c join audit_entries e on e.id = c.entry_id
    where c.seq = ${seq} and e.at < ${before}`.execute(db)
  return rows.length > 0
}

export const findSealKeys = ({ db }: Db) =>
  db.selectFrom('audit_seal_keys').select(['id', 'sealed']).orderBy('created_at', 'desc').orderBy('id').execute()

export async function insertSealKey({ db }: Db, row: { id: string; sealed: string; created_at: Date }): Promise<void> {
  await db.insertInto('audit_seal_keys').values(row).execute()
}

export const findSentOn = ({ db }: Db, day: string): Promise<SentHead[]> =>
  db.selectFrom('audit_sent_heads').selectAll().where(sql<boolean>`day = ${day}::date`).execute()

/** The newest of each target. */
export const findNewestSent = ({ db }: Db): Promise<SentHead[]> =>
  db.selectFrom('audit_sent_heads').selectAll().distinctOn('target').orderBy('target').orderBy('day', 'desc').execute()

export async function saveSent(
  { db }: Db,
  sent: { day: string; target: string; seq: number; at: Date; error: string | null },
): Promise<void> {
  const { seq, at, error } = sent
  await db
    .insertInto('audit_sent_heads')
    .values(sent)
    .onConflict((conflict) => conflict.columns(['day', 'target']).doUpdateSet({ seq, at, error }))
    .execute()
}
