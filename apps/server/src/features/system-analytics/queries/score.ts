import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Days } from '../days.ts'

type Db = Pick<AppContext, 'db' | 'cloudflare'>

type Worst = { site_id: string; site_name: string; value: string } | null
export type SiteFacts = {
  score: number | null
  healthy: number
  known: number
  active: number
  checked: number
  slowest: Worst
  sickest: Worst
  uncertified: Worst
}

const worstOf = (value: ReturnType<typeof sql>, rest: ReturnType<typeof sql>) => sql`(
  select json_build_object('site_id', id, 'site_name', site_name, 'value', ${value})
  from sites where deleted_at is null and ${rest} limit 1)`

/** How the sites are now. */
export async function findSiteFacts({ db }: Db): Promise<SiteFacts> {
  const { rows } = await sql<SiteFacts>`
    select avg(performance_score)::float8 as score,
      count(*) filter (where health_status = 'healthy')::integer as healthy,
      count(*) filter (where health_status <> 'unknown')::integer as known,
      count(*) filter (where ssl_status = 'active')::integer as active,
      count(*) filter (where ssl_status <> 'pending')::integer as checked,
      ${worstOf(sql`performance_score::text`, sql`performance_score is not null order by performance_score, id`)}
        as slowest,
      ${worstOf(sql`health_status`, sql`health_status in ('down', 'degraded') order by health_status desc, id`)}
        as sickest,
      ${worstOf(sql`ssl_status`, sql`ssl_status in ('expired', 'error') order by ssl_status desc, id`)} as uncertified
    from sites where deleted_at is null`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('An aggregate answers one row')
  return facts
}

/** Answers of 500 and above among the requests of the days of which both are known, and the site with most of them. */
export async function findServerErrors(
  ctx: Db,
  { first, last }: Days,
): Promise<{ requests: number; errors: number; worst: Worst }> {
  const { rows } = await sql<{ requests: number; errors: number; worst: Worst }>`
    with homes as materialized (select * from site_zones(${ctx.cloudflare?.connection ?? ''})),
    zones as materialized (
      select zone_id, sum(requests) as requests, sum(server_errors) as errors from domain_analytics_days
      where day between ${first}::date and ${last}::date and server_errors is not null
        and zone_id in (select zone_id from homes)
      group by zone_id
    )
    select coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(errors), 0)::float8 as errors, (
      select json_build_object('site_id', s.id, 'site_name', s.site_name, 'value', w.errors::text)
      from zones w join homes h on h.zone_id = w.zone_id and h.sites = 1 join sites s on s.id = h.site_id
      where w.errors > 0 order by w.errors desc, s.id limit 1
    ) as worst
    from zones`.execute(ctx.db)
  return rows[0] ?? { requests: 0, errors: 0, worst: null }
}
