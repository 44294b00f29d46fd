import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = { db: Kysely<DB> }

export type Head = { seq: number; hash: string }

export async function findHead({ db }: Db): Promise<Head> {
  const { rows } = await sql<Head>`select seq, encode(hash, 'hex') as hash from audit_head`.execute(db)
  return rows[0] ?? { seq: 0, hash: '' }
}

export type WrongLink = { seq: number; expectedSeq: number; entryId: string; isEntryThere: boolean }

/** Walks up to `limit` links behind a place: where the walk came to, and the first link that is not what it must be. */
export async function checkLinks(
  { db }: Db,
  from: number,
  limit: number,
): Promise<{ last: number | null; isStartThere: boolean; wrong: WrongLink | null }> {
  const { rows } = await sql<{
    last: number | null
    is_start_there: boolean
    seq: number | null
    expected_seq: number
    entry_id: string
    is_entry_there: boolean
  }>`
    with start as (
      select case when ${from}::bigint = 0 then audit_genesis()
        else (select hash from audit_chain where seq = ${from}::bigint) end as hash
    ), links as materialized (
      select seq, entry_id, hash,
        lag(seq, 1, ${from}::bigint) over (order by seq) as previous_seq,
        lag(hash, 1, (select hash from start)) over (order by seq) as previous_hash
      from (select * from audit_chain where seq > ${from}::bigint order by seq limit ${limit}::int) next
    )
    select (select max(seq) from links) as last, (select hash is not null from start) as is_start_there, wrong.*
    from (select) one left join lateral (
      select l.seq, l.previous_seq + 1 as expected_seq, l.entry_id::text, e.id is not null as is_entry_there
      from links l left join audit_entries e on e.id = l.entry_id
      where l.seq <> l.previous_seq + 1 or e.id is null or l.hash is distinct from audit_digest(e, l.seq, l.previous_hash)
      order by l.seq limit 1
    ) wrong on true
  `.execute(db)
  const row = rows[0]
  if (!row) throw new Error('the question about the chain has no answer')
  const wrong = row.seq === null ? null : toWrong(row.seq, row)
  return { last: row.last, isStartThere: row.is_start_there, wrong }
}

const toWrong = (seq: number, row: { expected_seq: number; entry_id: string; is_entry_there: boolean }): WrongLink => ({
  seq,
  expectedSeq: row.expected_seq,
  entryId: row.entry_id,
  isEntryThere: row.is_entry_there,
})

/** The last link and what the head says of it, at one instant. */
export async function findEnd({ db }: Db): Promise<{ last: Head; head: Head | null }> {
  const { rows } = await sql<{
    last_seq: number | null
    last_hash: string | null
    head_seq: number | null
    head_hash: string | null
  }>`
    select last.seq as last_seq, encode(last.hash, 'hex') as last_hash,
      head.seq as head_seq, encode(head.hash, 'hex') as head_hash
    from (select) one
    left join (select seq, hash from audit_chain order by seq desc limit 1) last on true
    left join audit_head head on true
  `.execute(db)
  const row = rows[0]
  const genesis = await sql<{ hash: string }>`select encode(audit_genesis(), 'hex') as hash`.execute(db)
  return {
    last: { seq: row?.last_seq ?? 0, hash: row?.last_hash ?? genesis.rows[0]?.hash ?? '' },
    head: row && row.head_seq !== null ? { seq: row.head_seq, hash: row.head_hash ?? '' } : null,
  }
}

/** The oldest entry that has no link: it was written around the trigger, or its link was taken. */
export async function findUnchained({ db }: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select e.id::text as id from audit_entries e
    where not exists (select from audit_chain c where c.entry_id = e.id) order by e.id limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}

/** The first of the places where the chain is not what it was once seen to be; `entryId` is null where it has no such place. */
export async function findUnlike(
  { db }: Db,
  seen: readonly Head[],
): Promise<{ seq: number; entryId: string | null } | undefined> {
  const { rows } = await sql<{ seq: number; entry_id: string | null }>`
    select seen.seq, c.entry_id::text as entry_id
    from unnest(${seen.map(({ seq }) => seq)}::bigint[], ${seen.map(({ hash }) => hash)}::text[]) as seen (seq, hash)
    left join audit_chain c on c.seq = seen.seq
    where encode(c.hash, 'hex') is distinct from seen.hash order by seen.seq limit 1
  `.execute(db)
  const row = rows[0]
  return row && { seq: row.seq, entryId: row.entry_id }
}
