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

/** What every site's figures of these days are made of: days that are made, and the rest since the newest hour that is. */
async function spansIn(ctx: Db, { first, last }: Days, now: number) {
  const from = await runningFrom(ctx, now)
  // A look of this very moment counts.
  const running = spansOf(sql`true`, from, new Date(now + 1), 3600, countedHealth)
  return sql`
    select site_id, day, known_seconds, down_seconds, response_ms, probes - failures as answered
    from counted_site_days where day between ${first}::date and ${last}::date
    union all
    select site_id, (span at time zone 'UTC')::date, known_seconds, down_seconds, response_ms, probes - failures
    from (${running}) r
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
  const { rows } = await sql<SitesDay>`
    select day::text as day, sum(known_seconds)::float8 as known_seconds, sum(down_seconds)::float8 as down_seconds,
      sum(response_ms * answered) filter (where response_ms is not null) /
        nullif(sum(answered) filter (where response_ms is not null), 0) as response_ms,
      coalesce(sum(answered) filter (where response_ms is not null), 0)::integer as answered
    from (${await spansIn(ctx, days, now)}) s
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
      from (${await spansIn(ctx, days, now)}) s group by site_id having sum(down_seconds) > 0
    ) t join sites s on s.id = t.site_id and s.deleted_at is null
    order by t.down_seconds desc, t.site_id limit ${count}`.execute(ctx.db)
  return rows
}
