import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { countDays, type Days } from '../range.ts'

type Db = Pick<AppContext, 'db' | 'cloudflare' | 'config'>

const gb = 1024 ** 3
const monthDays = 30.4375
/** Of a limit; from here on a larger plan fits better. */
const upsellPercent = 80

const start = ({ first }: Days) => sql`${first}::date::timestamp at time zone 'UTC'`
const end = ({ last }: Days) => sql`(${last}::date + 1)::timestamp at time zone 'UTC'`

/** What Stripe's balance moved by that was the money of a site's owner. */
const moneyOf = (days: Days) => sql`
  select b.customer_id, b.currency,
    coalesce(sum(b.amount) filter (where b.part = 'charges'), 0)::bigint as price,
    (sum(b.fee) + coalesce(-sum(b.amount) filter (where b.part = 'fees'), 0))::bigint as fees,
    coalesce(-sum(b.amount) filter (where b.part in ('refunds', 'disputes')), 0)::bigint as refunds
  from balance_transactions b
  where b.customer_id = any (array(select customer_id from owners)) and b.deleted_at is null
    and b.part in ('charges', 'refunds', 'disputes', 'fees')
    and b.created_at >= ${start(days)} and b.created_at < ${end(days)}
  group by 1, 2`

/** The same of everybody's and of nobody's. */
const allMoneyOf = (days: Days) => sql`
  select currency, coalesce(sum(amount) filter (where part = 'charges'), 0)::bigint as price,
    (sum(fee) + coalesce(-sum(amount) filter (where part = 'fees'), 0))::bigint as fees,
    coalesce(-sum(amount) filter (where part in ('refunds', 'disputes')), 0)::bigint as refunds
  from balance_days
  where part in ('charges', 'refunds', 'disputes', 'fees') and transactions > 0
    and day >= ${start(days)} and day < ${end(days)}
  group by currency`

/** An amount split equally: whole units, and one more for the first as many as are left over. */
const shareOf = (amount: RawBuilder<unknown>) => sql`
  case when o.sites is null then ${amount}
    else (floor(${amount}::numeric / o.sites) + (o.rank <= ${amount} - floor(${amount}::numeric / o.sites) * o.sites)::int)::bigint
  end`

const rateOf = (text: string | null) => sql`coalesce(${text}::numeric, 0)`

/** Minor units of the currency that the rates are in; null where nobody has said any. */
function hostingOf({ config }: Db, days: Days): RawBuilder<unknown> {
  const { hostingSiteMonth, hostingTrafficGb, hostingStorageGbMonth, hostingBuildMinute } = config.settings
  if ([hostingSiteMonth, hostingTrafficGb, hostingStorageGbMonth, hostingBuildMinute].every((rate) => rate === null))
    return sql`null::bigint`
  const months = countDays(days) / monthDays
  return sql`round((
    ${rateOf(hostingSiteMonth)} * ${months}::numeric
    + ${rateOf(hostingTrafficGb)} * coalesce(t.bytes, 0)::numeric / ${gb}
    + ${rateOf(hostingStorageGbMonth)} * coalesce(s.storage_used, 0)::numeric / 1024 * ${months}::numeric
    + ${rateOf(hostingBuildMinute)} * coalesce(u.seconds, 0)::numeric / 60
  ) * (10 ^ currency_digits(home.currency)))::bigint`
}

/** Every site with what it used and brought; named `usage`. */
const usageOf = (ctx: Db, days: Days) => sql`
  with home as materialized (select default_currency() as currency),
  -- Of a zone that several sites share nobody knows what is whose. "= 1" the planner would take for rare.
  homes as materialized (
    select zone_id, min(site_id) as site_id from site_homes(${ctx.cloudflare?.connection ?? ''})
    group by zone_id having count(*) < 2
  ),
  traffic as (
    select h.site_id, z.requests, z.bytes, z.visits
    from homes h join zone_traffic(${days.first}::date, ${days.last}::date) z on z.zone_id = h.zone_id
  ),
  builds as (
    select b.site_id, count(*) as deployments, sum(extract(epoch from b.completed_at - b.started_at)) as seconds
    from deployments b
    where b.completed_at >= ${days.first}::date::timestamp at time zone 'UTC'
      and b.completed_at < (${days.last}::date + 1)::timestamp at time zone 'UTC' and b.started_at is not null group by 1
  ),
  owners as materialized (
    select customer_id, count(*) as sites from sites
    where deleted_at is null and customer_id is not null group by customer_id
  ),
  -- Of a customer whose money settles in several currencies, the one with the most.
  owned as (
    select distinct on (customer_id) * from (${moneyOf(days)}) m order by customer_id, price desc, currency
  ),
  -- Of those with several sites, which share what they paid.
  sharing as (
    select id as site_id, count(*) over w as sites, row_number() over (w order by id) as rank
    from sites
    where deleted_at is null and customer_id = any (array(select customer_id from owners where sites > 1))
    window w as (partition by customer_id)
  ),
  plans as materialized (
    select id, name, bandwidth_limit, storage_limit,
      nullif(bandwidth_limit, 0) * ${gb}::numeric * ${upsellPercent} / 100 as upsell_bytes,
      nullif(storage_limit, 0) * ${upsellPercent} / 100 as upsell_storage
    from (
      select id, name, plan_limit(raw, 'bandwidth_gb') * ${countDays(days)}::numeric / 30 as bandwidth_limit,
        plan_limit(raw, 'storage_gb') * 1024 as storage_limit
      from products
    ) p
  ),
  subscribed as (
    select id as customer_id, product_id from customers
    where id = any (array(select customer_id from owners)) and deleted_at is null and product_id is not null
  ),
  -- What a person reads of a site is looked up for those that are shown.
  priced as (
    select s.id as site_id, s.sort_name, p.id as plan_id, t.visits, t.requests, t.bytes, s.storage_used as storage,
      coalesce(u.deployments, 0) as deployments, coalesce(u.seconds, 0) / 60 as build_minutes,
      coalesce(m.currency, home.currency) as currency, coalesce(${shareOf(sql`m.price`)}, 0) as price,
      coalesce(${shareOf(sql`m.fees`)}, 0) as fees, coalesce(${shareOf(sql`m.refunds`)}, 0) as refunds,
      case when coalesce(m.currency, home.currency) = home.currency then ${hostingOf(ctx, days)} end as hosting,
      p.upsell_bytes, p.upsell_storage
    from sites s cross join home
    left join traffic t on t.site_id = s.id
    left join builds u on u.site_id = s.id
    left join owned m on m.customer_id = s.customer_id
    left join sharing o on o.site_id = s.id
    left join subscribed c on c.customer_id = s.customer_id
    left join plans p on p.id = c.product_id
    where s.deleted_at is null
  ),
  usage as materialized (
    select *, price - fees - refunds - hosting as margin,
      coalesce(bytes >= upsell_bytes or storage >= upsell_storage, false) as is_upsell,
      coalesce(price - fees - refunds - hosting < 0, false) as is_loss
    from priced
  )`

export type Profit = {
  currency: string
  price: number
  fees: number
  refunds: number
  hosting: number | null
  unassigned: { price: number; fees: number; refunds: number }
}

export type UsageRow = {
  site_id: string
  site_name: string
  domain: string
  customer_id: string | null
  customer: string | null
  plan: string | null
  visits: number | null
  requests: number | null
  gigabytes: number | null
  storage: number | null
  bandwidth_limit: number | null
  storage_limit: number | null
  deployments: number
  build_minutes: number
  currency: string
  price: number
  fees: number
  refunds: number
  hosting: number | null
  margin: number | null
  is_upsell: boolean
  is_loss: boolean
}

const orders = {
  margin: sql`u.margin nulls last`,
  '-margin': sql`u.margin desc nulls last`,
  '-price': sql`u.price desc`,
  '-bandwidth': sql`u.bytes desc nulls last`,
  '-requests': sql`u.requests desc nulls last`,
  '-storage': sql`u.storage desc nulls last`,
  site_name: sql`u.sort_name`,
} as const
const shown = { all: sql`true`, upsell: sql`is_upsell`, loss: sql`is_loss` } as const

type Page = { limit: number; offset: number }

/** Rows of `usage` (or of what has its columns) as they are shown, in an order. */
const pageOf = (from: RawBuilder<unknown>, order: RawBuilder<unknown>, { limit, offset }: Page) => sql`
  select u.site_id, s.site_name, s.domain, s.customer_id, s.customer_name as customer, p.name as plan,
    u.visits::float8 as visits, u.requests::float8 as requests, round(u.bytes::numeric / ${gb}, 3)::float8 as gigabytes,
    u.storage, p.bandwidth_limit::float8 as bandwidth_limit, p.storage_limit::float8 as storage_limit,
    u.deployments::integer as deployments, u.build_minutes::float8 as build_minutes, u.currency, u.price::float8 as price,
    u.fees::float8 as fees, u.refunds::float8 as refunds, u.hosting::float8 as hosting, u.margin::float8 as margin,
    u.is_upsell, u.is_loss
  from (select * from ${from} u order by ${order}, u.sort_name, u.site_id limit ${limit} offset ${offset}) u
  join sites s on s.id = u.site_id
  left join plans p on p.id = u.plan_id
  order by ${order}, u.sort_name, u.site_id`

/** Sites by name, for what goes through all of them. */
export async function findUsageRows(ctx: Db, days: Days, page: Page): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    ${usageOf(ctx, days)} ${pageOf(sql`usage`, orders.site_name, page)}`.execute(ctx.db)
  return rows
}

export type UsageList = Page & {
  show: keyof typeof shown
  sort: keyof typeof orders
  search?: string | undefined
}

export type UsagePage = {
  sites: UsageRow[]
  total: number
  /** Of all sites, whichever are shown. */
  counts: { sites: number; upsell: number; loss: number }
  profit: Profit[]
}

/** A page of sites, and all money of the range with what of it belongs to no site: both of one reading of all sites. */
export async function findUsagePage(
  ctx: Db,
  days: Days,
  { show, sort, search = '', ...page }: UsageList,
): Promise<UsagePage> {
  const { rows } = await sql<UsagePage>`
    ${usageOf(ctx, days)},
    all_money as (${allMoneyOf(days)}),
    of_sites as (
      select currency, sum(price)::bigint as price, sum(fees)::bigint as fees, sum(refunds)::bigint as refunds,
        case when bool_or(hosting is null) then null else sum(hosting)::bigint end as hosting
      from usage group by currency
    ),
    matching as not materialized (
      select * from usage u where ${shown[show]} and (${search} = '' or exists (
        select from sites s where s.id = u.site_id and position(search_fold(${search}) in s.doc) > 0
      ))
    )
    select (
      select coalesce(json_agg(s), '[]') from (${pageOf(sql`matching`, orders[sort], page)}) s
    ) as sites, (select count(*) from matching)::integer as total, (
      select json_build_object('sites', count(*), 'upsell', count(*) filter (where is_upsell),
        'loss', count(*) filter (where is_loss)) from usage
    ) as counts, (
      select coalesce(json_agg(json_build_object('currency', currency, 'price', coalesce(a.price, 0),
        'fees', coalesce(a.fees, 0), 'refunds', coalesce(a.refunds, 0), 'hosting', s.hosting,
        'unassigned', json_build_object('price', coalesce(a.price, 0) - coalesce(s.price, 0),
          'fees', coalesce(a.fees, 0) - coalesce(s.fees, 0),
          'refunds', coalesce(a.refunds, 0) - coalesce(s.refunds, 0)))
        order by currency <> default_currency(), currency), '[]')
      from all_money a full join of_sites s using (currency)
    ) as profit`.execute(ctx.db)
  const [found] = rows
  if (!found) throw new Error('An aggregate answers one row')
  return found
}
