import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Days } from '../range.ts'

type Db = Pick<AppContext, 'db' | 'cloudflare'>

/** What Cloudflare kept of all domains of the connection on a day; what none of them knows is null. */
export type DomainsDay = {
  day: string
  requests: number
  cached_requests: number | null
  bytes: number
  page_views: number | null
  visits: number | null
  server_errors: number | null
  /** Requests of the domains of which server errors are known. */
  judged_requests: number | null
}

export async function findDomainsDays(ctx: Db, { first, last }: Days): Promise<DomainsDay[]> {
  const { rows } = await sql<DomainsDay>`
    select d.day::text as day, sum(d.requests)::float8 as requests, sum(d.cached_requests)::float8 as cached_requests,
      sum(d.bytes)::float8 as bytes, sum(d.page_views)::float8 as page_views, sum(d.visits)::float8 as visits,
      sum(d.server_errors)::float8 as server_errors,
      (sum(d.requests) filter (where d.server_errors is not null))::float8 as judged_requests
    from domain_analytics_days d
    join domains z on z.id = d.zone_id and z.connection = ${ctx.cloudflare?.connection ?? ''}
    where d.day between ${first}::date and ${last}::date
    group by d.day order by d.day`.execute(ctx.db)
  return rows
}

export type Builds = { deployments: number; build_seconds: number }

/** Deployments that ended in these days, and how long they were built. */
export async function findBuilds({ db }: Db, { first, last }: Days): Promise<Builds> {
  const { rows } = await sql<Builds>`
    select count(*)::integer as deployments,
      coalesce(sum(extract(epoch from completed_at - started_at)), 0)::float8 as build_seconds
    from deployments
    where completed_at >= ${first}::date::timestamp at time zone 'UTC'
      and completed_at < (${last}::date + 1)::timestamp at time zone 'UTC' and started_at is not null`.execute(db)
  return rows[0] ?? { deployments: 0, build_seconds: 0 }
}

/** In bytes; null where no site has told its storage. */
export async function findStorage({ db }: Db): Promise<number | null> {
  const { rows } = await sql<{ bytes: number | null }>`
    select (sum(storage_used) * 1024 * 1024)::float8 as bytes from sites where deleted_at is null`.execute(db)
  return rows[0]?.bytes ?? null
}
