import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { movedMoney } from './moved-money.ts'

export type TopSiteRow = {
  site_id: string
  domain: string
  customer_id: string
  customer: string | null
  revenue: number
}

// Shares of sites are cut off a running sum, so that they add up to what the owner paid.
const text = `with owners as materialized (
    select s.customer_id, count(*) as sites from sites s
    where s.deleted_at is null and s.customer_id is not null group by s.customer_id
  ),
  paid as materialized (
    select o.*, coalesce(m.net, 0)::bigint as net
    from owners o left join (
      select customer_id, sum(amount) as net from (${movedMoney('select customer_id from owners')}) m group by customer_id
    ) m on m.customer_id = o.customer_id
  ),
  shares as (
    select s.id as site_id, s.domain, s.customer_id, s.customer_name as customer, p.net as revenue
    from paid p join sites s on s.customer_id = p.customer_id and s.deleted_at is null
    where p.sites = 1
    union all
    select site_id, domain, customer_id, customer, (net * place / sites - net * (place - 1) / sites)::bigint
    from (
      select s.id as site_id, s.domain, s.customer_id, s.customer_name as customer, p.net, p.sites,
        row_number() over (partition by s.customer_id order by s.created_at, s.id) as place
      from paid p join sites s on s.customer_id = p.customer_id and s.deleted_at is null
      where p.sites > 1
    ) s
  )
  select site_id, domain, customer_id, customer, revenue
  from shares where $4::text is null or site_id = $4
  order by revenue desc, domain limit $5`

/** Sites by the revenue of their owners, which these share equally. */
export const findTopSites = (
  pool: Pool,
  {
    from,
    until,
    currency,
    site = null,
    limit,
  }: { from: string; until: string; currency: string; site?: string | null; limit: number },
): Promise<TopSiteRow[]> =>
  runStatement<TopSiteRow>(pool, { text, values: [from, until, currency, site, limit], prepare: true })

/** The rows of a site's share: what its owner paid, and what of it belongs to the owner's other sites. `$6` is the site. */
export const shareOfSite = (revenue: string): string => `select * from (
      with own as materialized (
        select v.* from (${revenue}) v where v.customer_id = (select customer_id from sites where id = $6)
      ),
      place as (
        select count(*) as sites, count(*) filter (where (s.created_at, s.id) <= (o.created_at, o.id)) as place
        from sites o join sites s on s.customer_id = o.customer_id and s.deleted_at is null
        where o.id = $6 and o.deleted_at is null
      ),
      share as (
        select p.sites, (n.net * p.place / p.sites - n.net * (p.place - 1) / p.sites)::bigint - n.net as rest, n.customer_id
        from place p, (select coalesce(sum(amount), 0)::bigint as net, min(customer_id) as customer_id from own) n
        where p.sites > 1
      )
      select * from own
      union all
      select 'others', 'customer', 'customer', customer_id, null, customer_id,
        case when sites = 2 then 'Share of the other site' else 'Share of ' || sites - 1 || ' other sites' end, rest, false
      from share where rest <> 0
    ) shared`
