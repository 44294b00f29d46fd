import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { countedHealth, findRolledUntil, spansOf } from '../../probes/index.ts'
import { dayMs } from '../intervals.ts'
import type { KnownTime } from '../uptime.ts'

type Db = Pick<AppContext, 'db'>

/** Days in UTC, both included. */
type Days = { first: string; last: string }

/** From here on hours are not made yet. */
const runningFrom = async (ctx: Db, now: number): Promise<Date> => (await findRolledUntil(ctx)) ?? new Date(now - dayMs)

/** How sites answered since the newest hour that is made, by day (UTC): what totals of made days lack. */
export async function findRunningAnswers(
  ctx: Db,
  now: number,
): Promise<{ day: string; answered: number; response_ms: number }[]> {
  const { rows } = await sql<{ day: string; answered: number; response_ms: number }>`
    select (span at time zone 'UTC')::date::text as day, sum(answered)::integer as answered,
      sum(response_ms * answered)::float8 as response_ms
    from (
      select date_bin('1 hour', at, 'epoch') as span, count(*) as answered,
        percentile_cont(0.5) within group (order by total_ms) as response_ms
      from site_probes where at >= ${await runningFrom(ctx, now)} and at <= ${new Date(now)} and not is_failure
      group by site_id, 1
    ) r where response_ms is not null group by 1`.execute(ctx.db)
  return rows
}

/** What is known of sites since the newest hour that is made, by site and day. */
async function runningIn(ctx: Db, { first, last }: Days, now: number) {
  const from = await runningFrom(ctx, now)
  // A look of this very moment counts.
  const running = spansOf(sql`true`, from, new Date(now + 1), 3600, countedHealth)
  return sql`
    select site_id, (span at time zone 'UTC')::date as day, known_seconds, down_seconds, response_ms,
      probes - failures as answered
    from (${running}) spans
    where (span at time zone 'UTC')::date between ${first}::date and ${last}::date`
}

export type SitesDay = KnownTime & {
  day: string
  /** The sites' medians, each counted by its answered looks. */
  response_ms: number | null
  answered: number
}

/** All sites together, day by day; days of which nothing is known are left out. */
export async function findSitesDays(ctx: Db, days: Days, now: number): Promise<SitesDay[]> {
  const running = await runningIn(ctx, days, now)
  const { rows } = await sql<SitesDay>`
    select day::text as day, sum(known_seconds)::float8 as known_seconds, sum(down_seconds)::float8 as down_seconds,
      (sum(response_us) / nullif(sum(answered), 0) / 1000)::float8 as response_ms, sum(answered)::integer as answered
    from (
      select day, known_seconds, down_seconds, answered, response_us
      from probe_day_totals where day between ${days.first}::date and ${days.last}::date
      union all
      -- What false positives take out of a day.
      select d.day, c.known_seconds - d.known_seconds, c.down_seconds - d.down_seconds, 0, 0
      from (
        select distinct site_id, (hour at time zone 'UTC')::date as day from site_excused_hours
        where (hour at time zone 'UTC')::date between ${days.first}::date and ${days.last}::date
      ) x
      join site_probe_days d on d.site_id = x.site_id and d.day = x.day
      join counted_site_days c on c.site_id = x.site_id and c.day = x.day
      union all
      select day, known_seconds, down_seconds, case when response_ms is null then 0 else answered end,
        coalesce(round(response_ms::numeric * 1000) * answered, 0)
      from (${running}) r
    ) s
    group by day having sum(known_seconds) > 0 or sum(answered) > 0 order by day`.execute(ctx.db)
  return rows
}

export type SiteTime = KnownTime & { site_id: string; site_name: string }

/** What is known of each site that still is, worst first. */
export async function findWorstTimes(ctx: Db, days: Days, now: number, count: number): Promise<SiteTime[]> {
  const { rows } = await sql<SiteTime>`
    select t.site_id, s.site_name, t.known_seconds, t.down_seconds
    from (
      select site_id, sum(known_seconds)::float8 as known_seconds, sum(down_seconds)::float8 as down_seconds
      from (
        select site_id, known_seconds, down_seconds from counted_site_days
        where day between ${days.first}::date and ${days.last}::date
        union all
        select site_id, known_seconds, down_seconds from (${await runningIn(ctx, days, now)}) r
      ) s group by site_id having sum(down_seconds) > 0
    ) t join sites s on s.id = t.site_id and s.deleted_at is null
    order by t.down_seconds desc, t.site_id limit ${count}`.execute(ctx.db)
  return rows
}
