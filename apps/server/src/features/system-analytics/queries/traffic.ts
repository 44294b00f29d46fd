import type { TopSite } from '@agency/contract/system-analytics'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Days } from '../days.ts'

type Db = Pick<AppContext, 'db' | 'cloudflare'>

const connectionOf = ({ cloudflare }: Db): string => cloudflare?.connection ?? ''

/**
 * Each unit of which something can be known: a site with a zone of its own or a beacon, and a zone that several sites
 * share. Such a zone counts as a whole, unless beacons measured all of its sites that day.
 */
const unitsOf = (ctx: Db, { first, last }: Days) => sql`
  with homes as materialized (select * from site_zones(${connectionOf(ctx)})),
  traffic as materialized (
    select t.*, h.zone_id, coalesce(h.sites, 1) as sites
    from site_traffic(${connectionOf(ctx)}, ${first}::date, ${last}::date) t left join homes h on h.site_id = t.site_id
  ),
  beacons as (
    select zone_id, day, sites, count(*) as measured, sum(visits) as visits, sum(events) as events
    from traffic where sites > 1 group by 1, 2, 3
  ),
  units as (
    select day, visits, events, sample_interval from traffic where sites = 1
    union all
    select coalesce(d.day, b.day), case when b.measured = b.sites then b.visits else d.visits end,
      case when b.measured = b.sites then b.events else d.page_views end, d.sample_interval
    from (
      select d.* from domain_analytics_days d
      where d.day between ${first}::date and ${last}::date
        and d.zone_id in (select zone_id from homes where sites > 1)
    ) d
    full join (select * from beacons where measured = sites) b on b.zone_id = d.zone_id and b.day = d.day
  )`

export type TrafficDay = { day: string; events: number | null; visits: number | null; is_sampled: boolean }

/** Days of which something is known; a figure that no unit has is null. */
export async function findTrafficDays(ctx: Db, days: Days): Promise<TrafficDay[]> {
  const { rows } = await sql<TrafficDay>`
    ${unitsOf(ctx, days)}
    select day::text as day, sum(events)::float8 as events, sum(visits)::float8 as visits,
      coalesce(bool_or(sample_interval > 1 and visits is not null), false) as is_sampled
    from units group by day order by day`.execute(ctx.db)
  return rows
}

/** Those with the most events; of a site that shares its zone nothing is known without a beacon. */
export async function findTopSites(ctx: Db, { first, last }: Days, count: number): Promise<TopSite[]> {
  const { rows } = await sql<TopSite>`
    select t.site_id, s.site_name, s.domain, t.visitors, t.events, t.engagement, t.visitor_days, t.event_days, t.source,
      t.is_sampled
    from (
      select site_id, sum(visits)::float8 as visitors, sum(events)::float8 as events,
        count(visits)::integer as visitor_days, count(events)::integer as event_days,
        (sum(events) filter (where visits is not null))::float8
          / nullif(sum(visits) filter (where events is not null), 0)::float8 as engagement,
        case when count(distinct source) > 1 then 'both' else min(source) end as source,
        coalesce(bool_or(sample_interval > 1 and visits is not null), false) as is_sampled
      from site_traffic(${connectionOf(ctx)}, ${first}::date, ${last}::date)
      group by site_id having count(events) > 0
    ) t join sites s on s.id = t.site_id
    order by t.events desc, s.sort_name, s.id limit ${count}`.execute(ctx.db)
  return rows
}

export type Coverage = { sites: number; measured: number; beacons: number }

/** How many sites there are, and of how many something is known in these days. */
export async function countMeasured(ctx: Db, { first, last }: Days): Promise<Coverage> {
  const { rows } = await sql<Coverage>`
    with homes as materialized (select * from site_zones(${connectionOf(ctx)})),
    known_zones as (
      select distinct zone_id from domain_analytics_days
      where day between ${first}::date and ${last}::date and page_views is not null
    ),
    known as (
      select site_id from homes where zone_id in (select zone_id from known_zones)
      union select site_id from site_beacon_days where is_whole and day between ${first}::date and ${last}::date
    )
    select count(*)::integer as sites, count(k.site_id)::integer as measured,
      count(*) filter (where b.is_on)::integer as beacons
    from sites s left join known k on k.site_id = s.id left join site_beacons b on b.site_id = s.id
    where s.deleted_at is null`.execute(ctx.db)
  return rows[0] ?? { sites: 0, measured: 0, beacons: 0 }
}

export type SiteTraffic = {
  visits: number | null
  /** Goals per visit in percent, over the days that a beacon measured; null without any, or without a visit. */
  conversion: number | null
  has_beacon: boolean
}

/** What is known of these sites in these days. */
export async function findTrafficOf(
  ctx: Db,
  siteIds: readonly string[],
  { first, last }: Days,
): Promise<ReadonlyMap<string, SiteTraffic>> {
  const { rows } = await sql<SiteTraffic & { site_id: string }>`
    select site_id, sum(visits)::float8 as visits, bool_or(source = 'beacon') as has_beacon,
      (100 * sum(goals) / nullif(sum(visits) filter (where source = 'beacon'), 0))::float8 as conversion
    from site_traffic(${connectionOf(ctx)}, ${first}::date, ${last}::date)
    where site_id = any(${[...siteIds]}) group by site_id`.execute(ctx.db)
  return new Map(rows.map(({ site_id, ...traffic }) => [site_id, traffic]))
}
