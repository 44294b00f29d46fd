import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { dateOf } from '../period.ts'
import type { SampledDay } from '../provider/samples.ts'

/** The days of each zone whose samples are still to be read; only days that are kept, and no older ones than any plan gives. */
export async function findUnsampled(
  db: Kysely<DB>,
  zoneIds: readonly string[],
  { triedBefore, since }: { triedBefore: Date; since: number },
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ zone_id: string; days: string[] }>`
    select d.zone_id, array_agg(d.day::text order by d.day) as days
    from domain_analytics_days d join domain_analytics_zones z on z.zone_id = d.zone_id
    where d.zone_id = any(${zoneIds}) and not d.samples_complete and d.day >= ${dateOf(since)}::date
      and coalesce(z.samples_at, '-infinity') < ${triedBefore}
    group by d.zone_id
  `.execute(db)
  return new Map(rows.map(({ zone_id, days }) => [zone_id, days.map((day) => Date.parse(day))]))
}

export async function saveSamples(db: Kysely<DB>, days: readonly { zoneId: string; day: SampledDay }[]): Promise<void> {
  const rows = days.map(({ zoneId, day }) => ({
    ...{ zone_id: zoneId, day: dateOf(day.at), visits: day.visits, server_errors: day.serverErrors },
    ...{ sample_interval: day.interval, samples_complete: day.isComplete },
  }))
  await sql`
    update domain_analytics_days kept set visits = read.visits, server_errors = read.server_errors,
      sample_interval = read.sample_interval, samples_complete = read.samples_complete
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as read(zone_id text, day date, visits bigint,
      server_errors bigint, sample_interval real, samples_complete boolean)
    where kept.zone_id = read.zone_id and kept.day = read.day and not kept.samples_complete
  `.execute(db)
}

/** Whatever came of it: what the plan does not give is not asked for again and again. */
export async function noteSamplesTried(db: Kysely<DB>, zoneIds: readonly string[], at: Date): Promise<void> {
  await sql`update domain_analytics_zones set samples_at = ${at} where zone_id = any(${zoneIds})`.execute(db)
}
