import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { Bucket } from '../figures.ts'
import { dateOf } from '../period.ts'

type Row = Omit<Bucket, 'at' | 'isPartial' | 'isSampled'> & { day: string; is_complete: boolean; is_sampled: boolean }

const toBucket = ({ day, is_complete, is_sampled, ...figures }: Row): Bucket => ({
  ...figures,
  at: Date.parse(day),
  isPartial: !is_complete,
  isSampled: is_sampled,
})

const columns = sql`requests, cached_requests, bytes, cached_bytes, threats, page_views, unique_visitors, is_complete, is_sampled`

export async function findDays(
  db: Kysely<DB>,
  zoneId: string,
  { since, until }: { since: number; until: number },
): Promise<Bucket[]> {
  const { rows } = await sql<Row>`
    select to_char(day, 'YYYY-MM-DD') as day, ${columns} from domain_analytics_days
    where zone_id = ${zoneId} and day >= ${dateOf(since)}::date and day < ${dateOf(until)}::date order by day
  `.execute(db)
  return rows.map(toBucket)
}

export async function findDaysOfAll(
  db: Kysely<DB>,
  { since, until }: { since: number; until: number },
): Promise<Map<string, Bucket[]>> {
  const { rows } = await sql<Row & { zone_id: string }>`
    select zone_id, to_char(day, 'YYYY-MM-DD') as day, ${columns} from domain_analytics_days
    where day >= ${dateOf(since)}::date and day < ${dateOf(until)}::date order by zone_id, day
  `.execute(db)
  const found = new Map<string, Bucket[]>()
  for (const { zone_id, ...row } of rows) found.set(zone_id, [...(found.get(zone_id) ?? []), toBucket(row)])
  return found
}

export type Kept = { zoneId: string; first: number; last: number; firstOpen: number | null }

/** From when to when days are kept, and the first of them that was not over when it was read. */
export async function findKept(db: Kysely<DB>, zoneIds: readonly string[]): Promise<Map<string, Kept>> {
  const { rows } = await sql<{ zone_id: string; first: string; last: string; open: string | null }>`
    select zone_id, min(day)::text as first, max(day)::text as last, (min(day) filter (where not is_complete))::text as open
    from domain_analytics_days where zone_id = any(${zoneIds}) group by zone_id
  `.execute(db)
  return new Map(
    rows.map(({ zone_id, first, last, open }) => [
      zone_id,
      { zoneId: zone_id, first: Date.parse(first), last: Date.parse(last), firstOpen: open ? Date.parse(open) : null },
    ]),
  )
}

/**
 * Keeps the better reading of each day, whatever the order in which readings arrive: one of a day that was over before
 * one of a running day, a counted one before a sampled one, the greater before the smaller, the later before the earlier.
 */
export async function saveDays(
  db: Kysely<DB>,
  days: readonly { zoneId: string; bucket: Bucket }[],
  fetchedAt: Date,
): Promise<void> {
  if (days.length === 0) return
  const rows = days.map(({ zoneId, bucket: { at, isPartial, isSampled, ...figures } }) => ({
    ...figures,
    zone_id: zoneId,
    day: dateOf(at),
    is_complete: !isPartial,
    is_sampled: isSampled,
  }))
  await sql`
    insert into domain_analytics_days as kept (zone_id, day, ${columns}, fetched_at)
    select zone_id, day, ${columns}, ${fetchedAt} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as read(
      zone_id text, day date, requests bigint, cached_requests bigint, bytes bigint, cached_bytes bigint,
      threats bigint, page_views bigint, unique_visitors bigint, is_complete boolean, is_sampled boolean)
    order by zone_id, day
    on conflict (zone_id, day) do update set
      requests = excluded.requests, cached_requests = excluded.cached_requests, bytes = excluded.bytes,
      cached_bytes = excluded.cached_bytes, threats = excluded.threats, page_views = excluded.page_views,
      unique_visitors = excluded.unique_visitors, is_complete = excluded.is_complete,
      is_sampled = excluded.is_sampled, fetched_at = excluded.fetched_at
    where (excluded.is_complete, not excluded.is_sampled, excluded.requests, excluded.bytes, excluded.fetched_at)
      > (kept.is_complete, not kept.is_sampled, kept.requests, kept.bytes, kept.fetched_at)
  `.execute(db)
}

export async function deleteDaysBefore(db: Kysely<DB>, day: number): Promise<void> {
  await sql`delete from domain_analytics_days where day < ${dateOf(day)}::date`.execute(db)
}

/** Bytes of each zone in a time, and how many of its days are known. */
export async function findBytes(
  db: Kysely<DB>,
  { since, until }: { since: number; until: number },
): Promise<{ zoneId: string; bytes: number; days: number }[]> {
  const { rows } = await sql<{ zone_id: string; bytes: number; days: number }>`
    select zone_id, sum(bytes)::float8 as bytes, count(*)::int as days from domain_analytics_days
    where day >= ${dateOf(since)}::date and day < ${dateOf(until)}::date group by zone_id order by zone_id
  `.execute(db)
  return rows.map(({ zone_id, bytes, days }) => ({ zoneId: zone_id, bytes, days }))
}
