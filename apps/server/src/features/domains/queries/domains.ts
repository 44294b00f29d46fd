import type { domains } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'

export type DomainsQuery = QueryOf<typeof domains.listDomains>

type Plan = {
  id?: string | null
  name?: string | null
  price?: number | null
  currency?: string | null
  frequency?: string | null
  is_subscribed?: boolean | null
  can_subscribe?: boolean | null
}

export type DomainRow = {
  id: string
  name: string
  status: string | null
  paused: boolean
  type: string | null
  plan: Plan | null
  account: { id?: string | null; name?: string | null } | null
  created_on: string | null
  modified_on: string | null
  name_servers: string[]
  original_name_servers: string[]
  ssl_value: string | null
  ssl_checked_at: string | null
  ssl_problem: string | null
  dnssec_value: string | null
  dnssec_checked_at: string | null
  dnssec_problem: string | null
  settings_at: string | null
  site: { id: string; site_name: string; status: string; url: string | null } | null
  customer: { id: string; name: string | null } | null
}

const columns = `d.id, d.name, d.status, d.paused, d.type, d.plan, d.account, iso_utc(d.created_on) as created_on,
  iso_utc(d.modified_on) as modified_on, d.name_servers, d.original_name_servers, d.ssl_value,
  iso_utc(d.ssl_checked_at) as ssl_checked_at, d.ssl_problem, d.dnssec_value,
  iso_utc(d.dnssec_checked_at) as dnssec_checked_at, d.dnssec_problem, iso_utc(d.settings_at) as settings_at,
  case when s.id is not null then
    json_build_object('id', s.id, 'site_name', s.site_name, 'status', s.status, 'url', s.deployment_url)
  end as site,
  case when s.customer_id is not null then json_build_object('id', s.customer_id, 'name', s.customer_name) end as customer`

/**
 * `site` is of this domain or of one below it. Read backwards, all of them begin with the domain's own name (`/` is the
 * character after `.`), so that an index finds them however many sites there are.
 */
const isInside = (name: string) => `site.deleted_at is null
  and reverse(site.domain) collate "C" >= reverse(${name}) and reverse(site.domain) collate "C" < reverse(${name}) || '/'
  and (site.domain = ${name} or right(site.domain, length(${name}) + 1) = '.' || ${name})`

/** The site of the domain itself before one below it. */
const joins = `left join lateral (
    select site.id, site.site_name, site.status, site.deployment_url, site.customer_id, site.customer_name from sites site
    where ${isInside('d.name')}
    order by site.domain = d.name desc, site.domain = 'www.' || d.name desc, site.domain limit 1
  ) s on true`

const keys = {
  name: 'd.name',
  status: `coalesce(d.status, '')`,
  plan: `coalesce(d.plan ->> 'name', '')`,
  type: `coalesce(d.type, '')`,
  created_on: `coalesce(d.created_on, '-infinity')`,
  modified_on: `coalesce(d.modified_on, '-infinity')`,
} as const

export type DomainPage = { domains: DomainRow[]; has_more: boolean; total: number }

export async function findDomains(pool: Pool, connection: string, query: DomainsQuery): Promise<DomainPage> {
  const values = new Values()
  const sort = query.sort ?? 'name'
  const where = [`d.connection = ${values.add(connection)}`]
  if (query.search) where.push(`strpos(d.doc, lower(${values.add(query.search)})) > 0`)
  const list: List = {
    table: 'domains',
    alias: 'd',
    order: { from: 'domains d', key: keys[sort.replace('-', '') as keyof typeof keys], id: 'd.id', isWhole: true },
    isDescending: sort.startsWith('-'),
    where,
    columns,
    joins,
    total: `(select count(*) from domains d where ${where.join(' and ')})`,
    values,
    isPrepared: true,
  }
  return JSON.parse(await readPage(pool, 'domains', list, query)) as DomainPage
}

export async function findDomain(pool: Pool, connection: string, id: string): Promise<DomainRow | undefined> {
  const [row] = await runStatement<{ domain: DomainRow }>(pool, {
    text: `select row_to_json(x) as domain from (
      select ${columns} from domains d ${joins} where d.connection = $1 and d.id = $2
    ) x`,
    values: [connection, id.replaceAll('\0', '')],
    prepare: true,
  })
  return row?.domain
}

export type DomainTotals = { total: number; active: number; paused: number }

export async function countDomains(pool: Pool, connection: string): Promise<DomainTotals> {
  const [totals] = await runStatement<DomainTotals>(pool, {
    text: `select count(*)::int as total, count(*) filter (where status = 'active' and not paused)::int as active,
        count(*) filter (where paused)::int as paused
      from domains where connection = $1`,
    values: [connection],
    prepare: true,
  })
  return totals ?? { total: 0, active: 0, paused: 0 }
}

/** Host names of sites at this domain or below it. */
export async function findHosts(pool: Pool, name: string): Promise<string[]> {
  const rows = await runStatement<{ domain: string }>(pool, {
    text: `select site.domain from sites site where ${isInside('$1::text')} order by site.domain limit 30`,
    values: [name],
  })
  return rows.map(({ domain }) => domain)
}
