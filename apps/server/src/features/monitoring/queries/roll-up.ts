import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { staleAfterMs } from '../intervals.ts'

type Db = Pick<AppContext, 'db'>

const staleAfter = sql`make_interval(secs => ${staleAfterMs / 1000})`

/** Checks by whole hours: the part of the time that each tells of which lies in the hour, or in the next one. */
export const serviceSpans = (from: Date, to: Date) => sql`
  select key, span, count(*) filter (where at >= span)::integer as checks,
    avg(response_ms) filter (where at >= span) as response_ms,
    round(coalesce(sum(seconds) filter (where status <> 'unknown'), 0))::integer as known_seconds,
    round(coalesce(sum(seconds) filter (where status = 'unhealthy'), 0))::integer as down_seconds,
    round(coalesce(sum(seconds) filter (where status = 'degraded'), 0))::integer as degraded_seconds,
    0 as maintenance_seconds
  from (
    select t.*, part.span,
      extract(epoch from least(t.until, part.span + interval '1 hour', ${to}::timestamptz)
        - greatest(t.at, part.span, ${from}::timestamptz)) as seconds
    from (
      select c.*, least(lead(c.at) over (partition by c.key order by c.at), c.at + ${staleAfter}) as until
      from service_checks c
      where c.at >= ${from}::timestamptz - ${staleAfter} and c.at < ${to}::timestamptz + ${staleAfter}
    ) t
    cross join lateral (
      select date_trunc('hour', greatest(t.at, ${from}::timestamptz), 'UTC') + nth * interval '1 hour' as span
      from (values (0), (1)) as one_or_both (nth)
    ) part
    where t.at < ${to}::timestamptz and t.until > ${from}::timestamptz and part.span < least(t.until, ${to}::timestamptz)
  ) parts
  group by key, span
`

/** Up to where the hours are made; null while there is nothing to make them of. All services are looked at together. */
export async function findServicesRolledUntil({ db }: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select coalesce(
      (select max(hour) + interval '1 hour' from service_hours where key = 'database'),
      (select min(at) from service_checks where key = 'database')
    ) as at
  `.execute(db)
  return rows[0]?.at ?? null
}

/** Makes the hours from `from` until `to` from the checks, and their days; again is the same. */
export async function rollUpServices({ db }: Db, from: Date, to: Date): Promise<void> {
  await sql`
    insert into service_hours (key, hour, checks, response_ms, known_seconds, down_seconds, degraded_seconds,
      maintenance_seconds)
    select key, span, checks, response_ms, known_seconds, down_seconds, degraded_seconds, maintenance_seconds
    from (${serviceSpans(from, to)}) spans order by key, span
    on conflict (key, hour) do update set checks = excluded.checks, response_ms = excluded.response_ms,
      known_seconds = excluded.known_seconds, down_seconds = excluded.down_seconds,
      degraded_seconds = excluded.degraded_seconds, maintenance_seconds = excluded.maintenance_seconds
  `.execute(db)
  await sql`
    insert into service_days (key, day, checks, response_ms, known_seconds, down_seconds, degraded_seconds,
      maintenance_seconds)
    select key, (hour at time zone 'UTC')::date, sum(checks)::integer, avg(response_ms),
      sum(known_seconds)::integer, sum(down_seconds)::integer, sum(degraded_seconds)::integer,
      sum(maintenance_seconds)::integer
    from service_hours
    where hour >= date_trunc('day', ${from}::timestamptz, 'UTC')
      and hour < date_trunc('day', ${to}::timestamptz - interval '1 microsecond', 'UTC') + interval '1 day'
    group by 1, 2 order by 1, 2
    on conflict (key, day) do update set checks = excluded.checks, response_ms = excluded.response_ms,
      known_seconds = excluded.known_seconds, down_seconds = excluded.down_seconds,
      degraded_seconds = excluded.degraded_seconds, maintenance_seconds = excluded.maintenance_seconds
  `.execute(db)
}

/** Up to where the hours of the figures are made; null while there are none. This one is in every minute. */
export async function findMetricsRolledUntil({ db }: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(hour) + interval '1 hour' as at from metric_hours where metric = 'memory_percent'
  `.execute(db)
  return rows[0]?.at ?? null
}

/** Makes the hours of the figures that are over and have minutes. */
export async function rollUpMetrics({ db }: Db, from: Date, to: Date): Promise<void> {
  await sql`
    insert into metric_hours (metric, hour, value, max, minutes)
    select metric, date_trunc('hour', minute, 'UTC'), avg(value), max(max), count(*)::integer
    from metric_minutes where minute >= ${from} and minute < ${to} group by 1, 2 order by 1, 2
    on conflict (metric, hour) do update set value = excluded.value, max = excluded.max, minutes = excluded.minutes
  `.execute(db)
}

export async function deleteChecksBefore({ db }: Db, at: Date): Promise<void> {
  await db.deleteFrom('service_checks').where('at', '<', at).execute()
  await db.deleteFrom('metric_minutes').where('minute', '<', at).execute()
}

export async function deleteServiceHoursBefore({ db }: Db, at: Date): Promise<void> {
  await db.deleteFrom('service_hours').where('hour', '<', at).execute()
  await db.deleteFrom('metric_hours').where('hour', '<', at).execute()
}
