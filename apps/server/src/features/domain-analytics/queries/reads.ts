import type { AnalyticsError } from '@agency/contract/types'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { toJson } from '../../../platform/json.ts'

/** Something that was read of a zone, or why it was not. */
export type Read = {
  answer: unknown
  fetchedAt: number | null
  failedAt: number | null
  failure: AnalyticsError | null
}

export async function findRead(db: Kysely<DB>, zoneId: string, name: string): Promise<Read | undefined> {
  const { rows } = await sql<{
    answer: unknown
    fetched_at: Date | null
    failed_at: Date | null
    failure: AnalyticsError | null
  }>`
    select answer, fetched_at, failed_at, failure from domain_analytics_reads
    where zone_id = ${zoneId} and name = ${name}
  `.execute(db)
  const [row] = rows
  if (!row) return undefined
  const ms = (at: Date | null) => (at === null ? null : new Date(at).getTime())
  return { answer: row.answer, fetchedAt: ms(row.fetched_at), failedAt: ms(row.failed_at), failure: row.failure }
}

type Key = { zoneId: string; name: string }

export async function saveRead(db: Kysely<DB>, { zoneId, name }: Key, answer: unknown, at: Date): Promise<void> {
  await sql`
    insert into domain_analytics_reads as r (zone_id, name, answer, fetched_at)
    values (${zoneId}, ${name}, ${toJson(answer)}::jsonb, ${at})
    on conflict (zone_id, name) do update set
      answer = excluded.answer, fetched_at = excluded.fetched_at, failed_at = null, failure = null
    where r.fetched_at is null or r.fetched_at <= excluded.fetched_at
  `.execute(db)
}

/** What was read earlier stays. */
export async function saveReadFailure(
  db: Kysely<DB>,
  { zoneId, name }: Key,
  failure: AnalyticsError,
  at: Date,
): Promise<void> {
  await sql`
    insert into domain_analytics_reads (zone_id, name, failed_at, failure)
    values (${zoneId}, ${name}, ${at}, ${toJson(failure)}::jsonb)
    on conflict (zone_id, name) do update set failed_at = excluded.failed_at, failure = excluded.failure
  `.execute(db)
}

export async function deleteReadsBefore(db: Kysely<DB>, at: Date): Promise<void> {
  await sql`delete from domain_analytics_reads where coalesce(fetched_at, failed_at) < ${at}`.execute(db)
}

/** `shop.example hours`; of a domain that is not known any more its id. */
const label = sql.raw(`coalesce(d.name, r.zone_id) || ' ' || r.name`)
const reads = sql.raw('domain_analytics_reads r left join domains d on d.id = r.zone_id')

export async function findReadLabels(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`select ${label} as label from ${reads} order by 1`.execute(db)
  return rows.map((row) => row.label)
}

export async function measureReads(db: Kysely<DB>): Promise<{ keys: number; bytes: number }> {
  const { rows } = await sql<{ keys: number; bytes: number }>`
    select count(*)::int as keys, coalesce(sum(pg_column_size(r.*)), 0)::bigint as bytes
    from domain_analytics_reads r`.execute(db)
  return rows[0] ?? { keys: 0, bytes: 0 }
}

export async function deleteReads(db: Kysely<DB>, labels: readonly string[]): Promise<number> {
  const { rows } = await sql`
    with meant as (select r.zone_id, r.name from ${reads} where ${label} = any(${labels}::text[]))
    delete from domain_analytics_reads r using meant where r.zone_id = meant.zone_id and r.name = meant.name
    returning r.name`.execute(db)
  return rows.length
}
