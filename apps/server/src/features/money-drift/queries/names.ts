import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { expiresWithinMs, graceMs, knownForMs } from '../grace.ts'
import { paying } from './paying.ts'

type Db = Pick<AppContext, 'db'>

export type EmptyZone = {
  zoneId: string
  name: string
  createdAt: Date
  seenAt: Date
  deletedSite: string | null
  deletedAt: Date | null
  customerId: string | null
  customerName: string | null
}

/** Zones that work and that no site stands on, on its name, below it, or by its address. */
export async function findEmptyZones({ db }: Db, connection: string, now: Date): Promise<EmptyZone[]> {
  const { rows } = await sql<EmptyZone>`
    select d.id as "zoneId", d.name, d.created_on as "createdAt", l.fetched_at as "seenAt",
      gone.site_name as "deletedSite", gone.deleted_at as "deletedAt", gone.customer_id as "customerId",
      gone.customer_name as "customerName"
    from domains d join domain_lists l on l.connection = d.connection
    left join lateral (
      select s.site_name, s.deleted_at, s.customer_id, s.customer_name from sites s
      where s.deleted_at is not null and (s.domain = d.name or s.domain like '%.' || d.name)
      order by s.deleted_at desc, s.id limit 1
    ) gone on true
    where d.connection = ${connection} and d.status = 'active' and not d.paused
      and l.fetched_at > ${new Date(now.getTime() - knownForMs.zones)}
      and d.created_on < ${new Date(now.getTime() - graceMs.made)}
      and (gone.deleted_at is null or gone.deleted_at < ${new Date(now.getTime() - graceMs.ended)})
      and not exists (
        select from sites s where s.deleted_at is null and reverse(s.domain) collate "C" = reverse(d.name)
      )
      and not exists (
        select from sites s where s.deleted_at is null
          and reverse(s.domain) collate "C" > reverse(d.name) || '.' and reverse(s.domain) collate "C" < reverse(d.name) || '/'
      )
      and not exists (
        select from sites s
        where s.deleted_at is null and s.deployment_url is not null
          and ('.' || substring(s.deployment_url from '^https?://([^/:]+)')) like '%.' || d.name
      )
    order by d.id`.execute(db)
  return rows
}

export type ExpiringDomain = {
  name: string
  expiresAt: Date
  registrar: string | null
  checkedAt: Date
  zoneId: string | null
  siteId: string
  siteName: string
  sites: number
  customers: { id: string; name: string | null }[]
  money: { currency: string; amount: number }[]
  plan: string | null
  subscriptionId: string
  subscriptionIds: string
  paySeenAt: Date
}

/** Registered domains that end soon, below sites whose customers go on paying then. */
export async function findExpiring({ db }: Db, connection: string | null, now: Date): Promise<ExpiringDomain[]> {
  const { rows } = await sql<ExpiringDomain>`
    with owners as (
      select r.domain, s.customer_id, min(s.customer_name) as customer_name, min(s.id) as site_id,
        min(s.site_name) as site_name, count(*) as sites
      from registered_domains d
      join site_registrations r on r.domain = d.domain
      join sites s on s.id = r.site_id and s.domain = r.host
      where d.expires_at < ${new Date(now.getTime() + expiresWithinMs)}
        and d.checked_at > ${new Date(now.getTime() - knownForMs.registry)} and d.problem is null
        and s.deleted_at is null and s.customer_id is not null and s.status <> 'suspended'
      group by r.domain, s.customer_id
    ),
    payers as (
      select o.*, d.expires_at, d.registrar, d.checked_at, pay.* from owners o
      join registered_domains d on d.domain = o.domain
      join lateral ${paying(sql`o.customer_id`, sql`d.expires_at`)} pay on pay.money is not null
    )
    select p.domain as name, p.expires_at as "expiresAt", p.registrar, p.checked_at as "checkedAt",
      (select z.id from domains z where z.connection = ${connection} and z.name = p.domain limit 1) as "zoneId",
      min(p.site_id) as "siteId", min(p.site_name) as "siteName", sum(p.sites)::integer as sites,
      json_agg(json_build_object('id', p.customer_id, 'name', p.customer_name) order by p.customer_name, p.customer_id)
        as customers,
      (
        select json_agg(json_build_object('currency', t.currency, 'amount', t.amount) order by t.amount desc, t.currency)
        from (
          select m.currency, sum(m.amount)::bigint as amount from payers q,
            json_to_recordset(q.money) as m (currency text, amount bigint)
          where q.domain = p.domain group by m.currency
        ) t
      ) as money,
      min(p.plan) as plan, min(p."subscriptionId") as "subscriptionId",
      string_agg(p."subscriptionIds", ',' order by p."subscriptionIds") as "subscriptionIds",
      min(p."paySeenAt") as "paySeenAt"
    from payers p
    group by p.domain, p.expires_at, p.registrar, p.checked_at
    order by p.domain`.execute(db)
  return rows
}

export type Sources = { mirroredAt: string | null; zonesAt: Date | null; hasSites: boolean }

/** What there is to compare with. */
export async function findSources({ db }: Db, connection: string | null): Promise<Sources> {
  const { rows } = await sql<Sources>`
    select mirror_as_of() as "mirroredAt",
      (select fetched_at from domain_lists where connection = ${connection}) as "zonesAt",
      exists (select from sites) as "hasSites"`.execute(db)
  return rows[0] ?? { mirroredAt: null, zonesAt: null, hasSites: false }
}
