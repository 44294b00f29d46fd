import { sql } from 'kysely'
import type { AppContext } from '../../context.ts'

type Db = Pick<AppContext, 'db'>

export type BeaconSite = {
  id: string
  domain: string
  subdomain: string | null
  deployment_url: string | null
  is_on: boolean
  heard_from: Date | null
  heard_at: Date | null
  version: number
}

const columns = sql`s.id, s.domain, s.subdomain, s.deployment_url, coalesce(b.is_on, false) as is_on, b.heard_from,
  b.heard_at, coalesce(b.version, 0) as version`

export async function findBeaconSite({ db }: Db, id: string): Promise<BeaconSite | undefined> {
  const { rows } = await sql<BeaconSite>`
    select ${columns} from sites s left join site_beacons b on b.site_id = s.id
    where s.id = ${id} and s.deleted_at is null`.execute(db)
  return rows[0]
}

/** The site is locked: two first changes would find nothing to lock. */
export async function lockBeaconSite({ db }: Db, id: string): Promise<BeaconSite | undefined> {
  const { rows } = await sql<BeaconSite>`
    select ${columns} from sites s left join site_beacons b on b.site_id = s.id
    where s.id = ${id} and s.deleted_at is null for no key update of s`.execute(db)
  return rows[0]
}

/** Switched on or off, what is heard begins anew; the day on which it ends was not heard as a whole. */
export async function switchBeacon({ db }: Db, id: string, isOn: boolean, version: number, now: Date): Promise<void> {
  await sql`
    insert into site_beacons (site_id, is_on, version) values (${id}, ${isOn}, ${version})
    on conflict (site_id) do update set is_on = excluded.is_on, heard_from = null, version = excluded.version
  `.execute(db)
  await sql`
    update site_beacon_days set is_whole = false
    where site_id = ${id} and day >= (${now}::timestamptz at time zone 'UTC')::date`.execute(db)
}

export type HourCount = { site_id: string; hour: Date; visits: number; page_views: number; goals: number }
export type GoalCount = { site_id: string; day: string; goal: string; hits: number }

/** More names a day than these are nobody's goals. */
const mostGoals = 50

/** Adds what was counted; of sites that were switched off or deleted meanwhile nothing is kept. */
export async function addCounts(
  { db }: Db,
  hours: readonly HourCount[],
  goals: readonly GoalCount[],
  now: Date,
): Promise<void> {
  await sql`
    with counted as materialized (
      select c.* from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb)
        as c(site_id text, hour timestamptz, visits integer, page_views integer, goals integer)
      join site_beacons b on b.site_id = c.site_id and b.is_on
    ), heard as (
      update site_beacons b set heard_at = greatest(b.heard_at, ${now}),
        heard_from = coalesce(b.heard_from, c.first)
      from (select site_id, min(hour) as first from counted group by site_id) c where c.site_id = b.site_id
      returning b.site_id, b.heard_from
    ), by_hour as (
      insert into site_beacon_hours as h (site_id, hour, visits, page_views, goals)
      select site_id, hour, visits, page_views, goals from counted order by 1, 2
      on conflict (site_id, hour) do update set visits = h.visits + excluded.visits,
        page_views = h.page_views + excluded.page_views, goals = h.goals + excluded.goals
    )
    insert into site_beacon_days as d (site_id, day, visits, page_views, goals, is_whole)
    select c.site_id, (c.hour at time zone 'UTC')::date, sum(c.visits), sum(c.page_views), sum(c.goals),
      (c.hour at time zone 'UTC')::date > (min(h.heard_from) at time zone 'UTC')::date
    from counted c join heard h on h.site_id = c.site_id group by 1, 2 order by 1, 2
    on conflict (site_id, day) do update set visits = d.visits + excluded.visits,
      page_views = d.page_views + excluded.page_views, goals = d.goals + excluded.goals`.execute(db)
  if (goals.length === 0) return
  await sql`
    insert into site_beacon_goals as g (site_id, day, goal, hits)
    select c.site_id, c.day, c.goal, c.hits
    from jsonb_to_recordset(${JSON.stringify(goals)}::jsonb) as c(site_id text, day date, goal text, hits integer)
    join site_beacons b on b.site_id = c.site_id and b.is_on
    where exists (select from site_beacon_goals k where k.site_id = c.site_id and k.day = c.day and k.goal = c.goal)
      or (select count(*) from site_beacon_goals k where k.site_id = c.site_id and k.day = c.day) < ${mostGoals}
    order by 1, 2, 3
    on conflict (site_id, day, goal) do update set hits = g.hits + excluded.hits`.execute(db)
}

export type Counted = {
  visits: number | null
  page_views: number | null
  goals: { goal: string; hits: number }[]
}

/** Since that day (UTC). */
export async function findCounted({ db }: Db, id: string, since: Date): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select sum(visits)::integer as visits, sum(page_views)::integer as page_views, (
      select coalesce(json_agg(json_build_object('goal', goal, 'hits', hits) order by hits desc, goal), '[]')
      from (
        select goal, sum(hits)::integer as hits from site_beacon_goals
        where site_id = ${id} and day >= (${since}::timestamptz at time zone 'UTC')::date
        group by goal order by 2 desc, 1 limit 20
      ) g
    ) as goals
    from site_beacon_days
    where site_id = ${id} and day >= (${since}::timestamptz at time zone 'UTC')::date`.execute(db)
  return rows[0] ?? { visits: null, page_views: null, goals: [] }
}

/** Days are kept for ever; hours serve zones other than UTC. */
export async function deleteHoursBefore({ db }: Db, before: Date): Promise<void> {
  await sql`delete from site_beacon_hours where hour < ${before}`.execute(db)
}
