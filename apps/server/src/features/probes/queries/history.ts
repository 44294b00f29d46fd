import type { HealthStatus } from '@agency/contract/types'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { usualSettings } from '../check-settings.ts'
import type { ScoredTimings } from '../score.ts'

type Db = Pick<AppContext, 'db'>

/** No look tells of more: twice the longest interval of any site, and a little. */
const longest = sql`(select make_interval(secs => 2 * greatest(${usualSettings.interval_seconds}, coalesce(max(interval_s), 0)) + 30)
  from site_checks)`

export async function findLongestMs({ db }: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (1000 * extract(epoch from ${longest}))::integer as ms
  `.execute(db)
  return rows[0]?.ms ?? 0
}

export type KeptProbe = ScoredTimings & {
  site_id: string
  at: Date
  health: HealthStatus
  in_maintenance: boolean
  is_failure: boolean
  status_code: number | null
  total_ms: number | null
  score: number | null
  good_for_s: number
}

export async function insertProbe({ db }: Db, probe: KeptProbe): Promise<void> {
  await sql`
    insert into site_probes (site_id, at, health, in_maintenance, is_failure, status_code, dns_ms, connect_ms, tls_ms,
      ttfb_ms, download_ms, total_ms, score, good_for_s)
    values (${probe.site_id}, ${probe.at}, ${probe.health}, ${probe.in_maintenance}, ${probe.is_failure},
      ${probe.status_code}, ${probe.dns_ms}, ${probe.connect_ms}, ${probe.tls_ms}, ${probe.ttfb_ms},
      ${probe.download_ms}, ${probe.total_ms}, ${probe.score}, ${probe.good_for_s})
    on conflict do nothing
  `.execute(db)
}

/**
 * What failed before and is confirmed now was down already; answers since when. Hours that are made never reach so near.
 */
export async function confirmFailures({ db }: Db, siteId: string, at: Date): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    with confirmed as (
      update site_probes p set health = 'down'
      where site_id = ${siteId} and is_failure and at >= ${at}::timestamptz - ${longest} and at < ${at}
        and not exists (
          select from site_probes later
          where later.site_id = p.site_id and later.at > p.at and later.at < ${at} and not later.is_failure
        )
      returning at
    )
    select min(at) as since from confirmed
  `.execute(db)
  return rows[0]?.since ?? null
}

/** The newest looks since then that were answered. */
export async function findAnswered({ db }: Db, siteId: string, since: Date, limit: number): Promise<ScoredTimings[]> {
  const { rows } = await sql<ScoredTimings>`
    select dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms from site_probes
    where site_id = ${siteId} and at >= ${since} and not is_failure order by at desc limit ${limit}
  `.execute(db)
  return rows
}

const stepOf = (stepS: number) => sql`make_interval(secs => ${stepS})`

/**
 * Probes by spans of equal length, aligned to the epoch. A look tells of the time until the next one, but of no longer
 * than it is good for; every span gets the part of that which lies in it.
 */
export const spansOf = (
  filter: ReturnType<typeof sql>,
  from: Date,
  to: Date,
  stepS: number,
  health: ReturnType<typeof sql> = sql`t.health`,
) => sql`
  select site_id, span, count(*) filter (where at >= span)::integer as probes,
    count(*) filter (where at >= span and is_failure)::integer as failures,
    percentile_cont(0.5) within group (order by total_ms) filter (where at >= span and not is_failure) as response_ms,
    percentile_cont(0.5) within group (order by ttfb_ms) filter (where at >= span and not is_failure) as ttfb_ms,
    (array_agg(score order by at desc) filter (where at >= span and score is not null))[1] as score,
    round(coalesce(sum(seconds) filter (where not in_maintenance and told <> 'unknown'), 0))::integer as known_seconds,
    round(coalesce(sum(seconds) filter (where not in_maintenance and told = 'down'), 0))::integer as down_seconds,
    round(coalesce(sum(seconds) filter (where not in_maintenance and told = 'degraded'), 0))::integer
      as degraded_seconds,
    round(coalesce(sum(seconds) filter (where in_maintenance), 0))::integer as maintenance_seconds
  from (
    select t.*, ${health} as told, part.span,
      extract(epoch from least(t.until, part.span + ${stepOf(stepS)}, ${to}::timestamptz)
        - greatest(t.at, part.span, ${from}::timestamptz)) as seconds
    from (
      select r.*, least(lead(r.at) over (partition by r.site_id order by r.at),
        r.at + make_interval(secs => r.good_for_s)) as until
      from site_probes r
      where ${filter} and r.at >= ${from}::timestamptz - ${longest} and r.at < ${to}::timestamptz + ${longest}
    ) t
    cross join lateral (
      select generate_series(date_bin(${stepOf(stepS)}, greatest(t.at, ${from}::timestamptz), 'epoch'),
        least(t.until, ${to}::timestamptz), ${stepOf(stepS)}) as span
    ) part
    where t.at < ${to}::timestamptz and t.until > ${from}::timestamptz and part.span < least(t.until, ${to}::timestamptz)
    -- So that what a look told is found out once, not for each sum.
    offset 0
  ) parts
  group by site_id, span
`

const hourS = 3600

export async function findRolledUntil({ db }: Db): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`select rolled_until as until from site_probe_progress`.execute(db)
  return rows[0]?.until ?? null
}

export async function findFirstProbe({ db }: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(at) as at from site_probes`.execute(db)
  return rows[0]?.at ?? null
}

/** Makes the hours from `from` until `to` from the probes, and their days; again is the same. */
export async function rollUp({ db }: Db, from: Date, to: Date): Promise<void> {
  await sql`
    insert into site_probe_hours as h (hour, site_id, probes, failures, response_ms, ttfb_ms, score, known_seconds,
      down_seconds, degraded_seconds, maintenance_seconds)
    select span, site_id, probes, failures, response_ms, ttfb_ms, score, known_seconds, down_seconds,
      degraded_seconds, maintenance_seconds
    from (${spansOf(sql`true`, from, to, hourS)}) spans order by site_id, span
    on conflict (site_id, hour) do update set probes = excluded.probes, failures = excluded.failures,
      response_ms = excluded.response_ms, ttfb_ms = excluded.ttfb_ms, score = excluded.score,
      known_seconds = excluded.known_seconds, down_seconds = excluded.down_seconds,
      degraded_seconds = excluded.degraded_seconds, maintenance_seconds = excluded.maintenance_seconds
  `.execute(db)
  await rollUpDays(db, from, to)
  await sql`
    insert into site_probe_progress (rolled_until) values (${to})
    on conflict (only_row) do update set rolled_until = greatest(site_probe_progress.rolled_until, excluded.rolled_until)
  `.execute(db)
}

/** Every day that an hour of the span lies in; its hours are kept for longer than they are made anew. */
async function rollUpDays(db: AppContext['db'], from: Date, to: Date): Promise<void> {
  await sql`
    insert into site_probe_days as d (day, site_id, probes, failures, response_ms, known_seconds, down_seconds,
      degraded_seconds, maintenance_seconds)
    select (hour at time zone 'UTC')::date, site_id, sum(probes)::integer, sum(failures)::integer,
      percentile_cont(0.5) within group (order by response_ms), sum(known_seconds)::integer,
      sum(down_seconds)::integer, sum(degraded_seconds)::integer, sum(maintenance_seconds)::integer
    from site_probe_hours
    where hour >= date_trunc('day', ${from}::timestamptz, 'UTC')
      and hour < date_trunc('day', ${to}::timestamptz - interval '1 microsecond', 'UTC') + interval '1 day'
    group by 1, 2 order by 2, 1
    on conflict (site_id, day) do update set probes = excluded.probes, failures = excluded.failures,
      response_ms = excluded.response_ms, known_seconds = excluded.known_seconds, down_seconds = excluded.down_seconds,
      degraded_seconds = excluded.degraded_seconds, maintenance_seconds = excluded.maintenance_seconds
  `.execute(db)
}

/** Made ahead: what comes before its day is made lies apart, and is moved then. */
export async function makeProbeDay({ db }: Db, at: Date): Promise<void> {
  await sql`select make_site_probe_day(${at})`.execute(db)
}

/** Drops the days that were over by then, whole. */
export async function dropProbeDays({ db }: Db, before: Date): Promise<void> {
  await sql`select drop_site_probe_days(${before})`.execute(db)
}

export async function deleteHoursBefore({ db }: Db, at: Date): Promise<void> {
  await sql`delete from site_probe_hours where hour < ${at}`.execute(db)
}
