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
    select day::text as day, requests::float8 as requests, cached_requests::float8 as cached_requests, bytes::float8 as bytes,
      page_views::float8 as page_views, visits::float8 as visits, server_errors::float8 as server_errors,
      judged_requests::float8 as judged_requests
    from connection_days(${ctx.cloudflare?.connection ?? ''}, ${first}::date, ${last}::date) order by day`.execute(
    ctx.db,
  )
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
