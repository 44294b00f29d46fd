import type { audienceKinds } from '@agency/contract/feature-flags'
import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Found = { id: string; name: string; detail: string | null }
type Kind = (typeof audienceKinds)[number]

const most = 20

const searches: Record<Kind, (like: string) => RawBuilder<Found>> = {
  customers: (like) => sql`
    select id, coalesce(name, email, id) as name, email as detail from customers
    where deleted_at is null and (name ilike ${like} or email ilike ${like} or company ilike ${like})
    order by lower(coalesce(name, email, id)), id limit ${most}`,
  sites: (like) => sql`
    select id, site_name as name, domain as detail from sites
    where deleted_at is null and (site_name ilike ${like} or domain ilike ${like})
    order by lower(site_name), id limit ${most}`,
  plans: (like) => sql`
    select id, coalesce(name, id) as name, case when active then null else 'No longer sold' end as detail from products
    where deleted_at is null and (name ilike ${like} or id ilike ${like})
    order by active desc, lower(coalesce(name, id)), id limit ${most}`,
  owners: (like) => sql`
    select id, name, email as detail from users
    where is_active and (name ilike ${like} or email ilike ${like}) order by lower(name), id limit ${most}`,
}

export async function searchAudience({ db }: Pick<AppContext, 'db'>, kind: Kind, text: string): Promise<Found[]> {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await searches[kind](like).execute(db)
  return rows
}

export type SiteFacts = {
  id: string
  site_name: string
  domain: string
  customer_id: string | null
  customer_name: string | null
  plans: string[]
  /** By flag. */
  ranks: Record<string, number>
}

/** What customers pay for now. */
const plansOf = (customer: RawBuilder<unknown>) => sql`coalesce((
  select array_agg(distinct p.product_id) from subscriptions p where p.customer_id = ${customer} and p.deleted_at is null
    and p.status in ('active', 'trialing', 'past_due') and p.product_id is not null), '{}')`

const ranksOf = (customer: RawBuilder<unknown>) => sql`coalesce((
  select jsonb_object_agg(r.flag_id, r.bucket) from feature_flag_ranks r where r.customer_id = ${customer}), '{}')`

/** All sites by name, with what decides over what they see. */
export async function findSiteFacts({ db }: Pick<AppContext, 'db'>): Promise<SiteFacts[]> {
  const { rows } = await sql<SiteFacts>`
    select s.id, s.site_name, s.domain, s.customer_id, s.customer_name,
      coalesce(c.plans, '{}') as plans, coalesce(c.ranks, '{}') as ranks
    from sites s
    left join (
      select o.id, ${plansOf(sql`o.id`)} as plans, ${ranksOf(sql`o.id`)} as ranks
      from (select distinct customer_id as id from sites where deleted_at is null and customer_id is not null) o
    ) c on c.id = s.customer_id
    where s.deleted_at is null order by lower(s.site_name), s.id`.execute(db)
  return rows
}

export type Asked = { site: string | null; domain: string | null; customer: string | null }
export type Facts = Asked & { plans: string[]; ranks: Record<string, number> }

/** What the console knows of each who asks, in their order: a site by its id or else by its domain, and its customer. */
export async function findFacts({ db }: Pick<AppContext, 'db'>, asked: readonly Asked[]): Promise<Facts[]> {
  const { rows } = await sql<Facts>`
    select f.site, f.domain, f.customer, ${plansOf(sql`f.customer`)} as plans, ${ranksOf(sql`f.customer`)} as ranks
    from (
      select a.n, coalesce(s.id, a.site) as site, coalesce(a.domain, s.domain) as domain,
        coalesce(a.customer, s.customer_id) as customer
      from unnest(
        ${asked.map(({ site }) => site)}::text[], ${asked.map(({ domain }) => domain)}::text[],
        ${asked.map(({ customer }) => customer)}::text[]
      ) with ordinality a (site, domain, customer, n)
      left join lateral (
        select id, domain, customer_id from sites where id = a.site and deleted_at is null
        union all
        select id, domain, customer_id from sites where a.site is null and domain = a.domain and deleted_at is null
        limit 1
      ) s on true
    ) f order by f.n`.execute(db)
  return rows
}
