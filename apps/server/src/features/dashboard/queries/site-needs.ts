import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { type Amounts, type Page, pageOf } from './page-of.ts'

type Db = Pick<AppContext, 'db'>

/** What the owners of these sites pay a month, by currency, each owner once. */
const monthly = (owners: RawBuilder<unknown>) => sql`
  select coalesce(json_agg(json_build_object('currency', m.currency, 'amount', m.amount) order by m.amount desc, m.currency),
    '[]') as money, coalesce(sum(m.amount), 0) as amount
  from (
    select u.currency, round(sum(u.mrr))::bigint as amount from subscriptions u
    where u.customer_id = any (${owners}) and u.deleted_at is null and u.mrr > 0 group by u.currency
  ) m`

export type EndingDomain = {
  name: string
  expiresAt: Date
  sites: number
  siteId: string
  zoneId: string | null
  money: Amounts
}

/** Registered domains that end before then, below sites that are there. */
export const findEndingDomains = (
  { db }: Db,
  { before, connection }: { before: Date; connection: string | null },
  limit: number,
): Promise<Page<EndingDomain>> =>
  pageOf(
    sql<EndingDomain & { total: number }>`
      select d.domain as name, d.expires_at as "expiresAt", d.sites, d.site_id as "siteId",
        (select z.id from domains z where z.connection = ${connection} and z.name = d.domain limit 1) as "zoneId",
        paid.money, (count(*) over ())::integer as total
      from (
        select r.domain, g.expires_at, count(*)::integer as sites, min(s.id) as site_id,
          array_agg(distinct s.customer_id) as owners
        from registered_domains g join site_registrations r on r.domain = g.domain
        join sites s on s.id = r.site_id and s.domain = r.host
        where g.expires_at < ${before} and s.deleted_at is null
        group by r.domain, g.expires_at
      ) d
      left join lateral (${monthly(sql`d.owners`)}) paid on true
      order by paid.amount desc, d.expires_at, d.domain limit ${limit}`.execute(db),
  )

export type EndingCertificate = {
  id: string
  site: string
  domain: string
  status: string
  expiresAt: Date | null
  seenAt: Date
  money: Amounts
}

/** Certificates of served sites that end before then, or are not good any more. */
export const findEndingCertificates = ({ db }: Db, before: Date, limit: number): Promise<Page<EndingCertificate>> =>
  pageOf(
    sql<EndingCertificate & { total: number }>`
      select s.id, s.site_name as site, s.domain, s.ssl_status as status, s.ssl_expires_at as "expiresAt",
        coalesce(s.ssl_checked_at, s.updated_at) as "seenAt", paid.money, (count(*) over ())::integer as total
      from sites s
      left join lateral (${monthly(sql`array[s.customer_id]`)}) paid on true
      where s.deleted_at is null and s.at_provider in ('served', 'resuming', 'still_served')
        and (s.ssl_status in ('expired', 'error') or s.ssl_expires_at < ${before})
      order by paid.amount desc, s.ssl_expires_at, s.id limit ${limit}`.execute(db),
  )

export type FailedDeployment = { id: string; site: string; failure: string | null; at: Date; money: Amounts }

/** Sites whose newest deployment has failed. */
export const findFailedDeployments = ({ db }: Db, since: Date, limit: number): Promise<Page<FailedDeployment>> =>
  pageOf(
    sql<FailedDeployment & { total: number }>`
      select d.id, s.site_name as site, d.failure, d.completed_at as at, paid.money,
        (count(*) over ())::integer as total
      from deployments d join sites s on s.id = d.site_id and s.deleted_at is null
      left join lateral (${monthly(sql`array[s.customer_id]`)}) paid on true
      where d.status = 'failed' and d.queued_at > ${since}
        and not exists (
          select from deployments newer
          where newer.site_id = d.site_id and (newer.queued_at, newer.id) > (d.queued_at, d.id)
            and newer.status <> 'cancelled'
        )
      order by paid.amount desc, d.completed_at desc, d.id limit ${limit}`.execute(db),
  )
