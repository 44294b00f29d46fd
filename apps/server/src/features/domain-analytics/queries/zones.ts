import type { AnalyticsError } from '@agency/contract/types'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { toJson } from '../../../platform/json.ts'
import { dateOf } from '../period.ts'
import { type PlanLimits, planLimits } from '../provider/limits.ts'

/** How a zone's days were read last; what is not there yet is null. */
export type ZoneState = {
  zoneId: string
  limits: PlanLimits | null
  limitsAt: number | null
  daysAt: number | null
  daysFrom: number | null
  failedAt: number | null
  failure: AnalyticsError | null
}

const msOf = (text: string | Date | null): number | null => (text === null ? null : new Date(text).getTime())

export async function findStates(db: Kysely<DB>, zoneIds: readonly string[]): Promise<Map<string, ZoneState>> {
  const { rows } = await sql<{
    zone_id: string
    limits: unknown
    limits_at: Date | null
    days_at: Date | null
    days_from: string | null
    failed_at: Date | null
    failure: AnalyticsError | null
  }>`
    select zone_id, limits, limits_at, days_at, days_from::text as days_from, failed_at, failure
    from domain_analytics_zones where zone_id = any(${zoneIds})
  `.execute(db)
  const states = new Map<string, ZoneState>(zoneIds.map((zoneId) => [zoneId, { ...nothing, zoneId }]))
  for (const row of rows) {
    const limits = planLimits.safeParse(row.limits)
    states.set(row.zone_id, {
      zoneId: row.zone_id,
      limits: limits.success ? limits.data : null,
      limitsAt: msOf(row.limits_at),
      daysAt: msOf(row.days_at),
      daysFrom: msOf(row.days_from),
      failedAt: msOf(row.failed_at),
      failure: row.failure,
    })
  }
  return states
}

const nothing = { limits: null, limitsAt: null, daysAt: null, daysFrom: null, failedAt: null, failure: null }

/** A failure of the limits is tried again as soon as the limits of others are. */
export async function saveLimits(
  db: Kysely<DB>,
  limits: readonly { zoneId: string; limits: PlanLimits }[],
  at: Date,
): Promise<void> {
  if (limits.length === 0) return
  const rows = limits.map((each) => ({ zone_id: each.zoneId, limits: each.limits }))
  await sql`
    insert into domain_analytics_zones as z (zone_id, limits, limits_at)
    select zone_id, limits, ${at} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as read(zone_id text, limits jsonb)
    order by zone_id
    on conflict (zone_id) do update set limits = excluded.limits, limits_at = excluded.limits_at
  `.execute(db)
}

export async function saveSuccess(db: Kysely<DB>, zoneIds: readonly string[], from: number, at: Date): Promise<void> {
  await sql`
    insert into domain_analytics_zones as z (zone_id, days_at, days_from)
    select id, ${at}, ${dateOf(from)}::date from unnest(${zoneIds}::text[]) as id order by id
    on conflict (zone_id) do update set
      days_at = greatest(z.days_at, excluded.days_at), days_from = least(z.days_from, excluded.days_from),
      failed_at = null, failure = null, refreshing_until = null
  `.execute(db)
}

export async function saveFailure(
  db: Kysely<DB>,
  zoneIds: readonly string[],
  failure: AnalyticsError,
  at: Date,
): Promise<void> {
  await sql`
    insert into domain_analytics_zones as z (zone_id, failed_at, failure)
    select id, ${at}, ${toJson(failure)}::jsonb from unnest(${zoneIds}::text[]) as id order by id
    on conflict (zone_id) do update set
      failed_at = excluded.failed_at, failure = excluded.failure, refreshing_until = null
  `.execute(db)
}

/** Takes the zones that nobody else is refreshing, until then. */
export async function claimZones(
  db: Kysely<DB>,
  zoneIds: readonly string[],
  { now, until }: { now: Date; until: Date },
): Promise<string[]> {
  const { rows } = await sql<{ zone_id: string }>`
    insert into domain_analytics_zones as z (zone_id, refreshing_until)
    select id, ${until} from unnest(${zoneIds}::text[]) as id order by id
    on conflict (zone_id) do update set refreshing_until = excluded.refreshing_until
    where z.refreshing_until is null or z.refreshing_until <= ${now}
    returning zone_id
  `.execute(db)
  return rows.map(({ zone_id }) => zone_id)
}

export async function freeZones(db: Kysely<DB>, zoneIds: readonly string[]): Promise<void> {
  await sql`update domain_analytics_zones set refreshing_until = null where zone_id = any(${zoneIds})`.execute(db)
}
