import type { Renewal } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

export type RenewalRow = Omit<Renewal, 'risks' | 'mrr_at_risk' | 'currency'> & {
  is_late: boolean
  is_leaving: boolean
  card_risk: boolean
  domain_risk: boolean
  uptime_risk: boolean
  traffic_risk: boolean
  weight: number
  at_risk: number
}
export type Renewals = { count: number; mrr: number; at_risk: number; rows: RenewalRow[] }

export const weights = {
  cancel_scheduled: 100,
  past_due: 60,
  card_expires: 40,
  domain_expires: 30,
  uptime: 20,
  traffic: 20,
} as const

// Traffic is compared day by day of complete days only, in zones that both months are known of.
const text = `with renewing as materialized (
    select s.id, s.customer_id, s.product_id, s.plan_nickname, s.current_period_end as renews_at, s.mrr, s.status = 'past_due' as is_late,
      s.cancel_at_period_end or s.cancel_at is not null as is_leaving
    from subscriptions s
    where s.current_period_end >= $1 and s.current_period_end < $2 and s.mrr <> 0 and s.deleted_at is null and s.currency = $3
  ),
  owned as materialized (select s.id, s.customer_id, s.domain from sites s where s.deleted_at is null and s.customer_id is not null),
  names as (
    select distinct on (o.customer_id) o.customer_id, g.domain, g.expires_at
    from owned o join site_registrations r on r.site_id = o.id join registered_domains g on g.domain = r.domain
    where g.expires_at is not null order by o.customer_id, g.expires_at
  ),
  uptimes as (
    select o.customer_id,
      100 * (1 - sum(d.down_seconds)::float8 / nullif(sum(d.known_seconds - d.maintenance_seconds), 0)) as percent
    from owned o join site_probe_days d on d.site_id = o.id and d.day > ($1::timestamptz - interval '31 days')::date
    group by o.customer_id
  ),
  visits as (
    select o.customer_id, sum(a.page_views) filter (where a.day > ($1::timestamptz - interval '31 days')::date) as now,
      sum(a.page_views) filter (where a.day <= ($1::timestamptz - interval '31 days')::date) as before,
      count(*) filter (where a.day > ($1::timestamptz - interval '31 days')::date) as days_now,
      count(*) filter (where a.day <= ($1::timestamptz - interval '31 days')::date) as days_before
    from owned o join domains z on z.name = o.domain
    join domain_analytics_days a on a.zone_id = z.id and a.is_complete
      and a.day > ($1::timestamptz - interval '61 days')::date and a.day < $1::timestamptz::date
    group by o.customer_id
  ),
  judged as (
    select w.*, k.expires_on, n.domain, n.expires_at, u.percent as uptime,
      case when v.days_now = v.days_before and v.before > 0 then round((100 * (v.now - v.before) / v.before)::numeric, 1)::float8 end as traffic,
      k.expires_on <= w.renews_at as card_risk, n.expires_at <= w.renews_at as domain_risk, u.percent < 99.5 as uptime_risk,
      v.days_now = v.days_before and v.before > 0 and v.now * 3 <= v.before * 2 as traffic_risk
    from renewing w left join customer_cards k on k.customer_id = w.customer_id left join names n on n.customer_id = w.customer_id
    left join uptimes u on u.customer_id = w.customer_id left join visits v on v.customer_id = w.customer_id
  ),
  weighed as materialized (
    select j.*, least(100, coalesce(is_leaving::int, 0) * ${weights.cancel_scheduled} + coalesce(is_late::int, 0) * ${weights.past_due}
      + coalesce(card_risk::int, 0) * ${weights.card_expires} + coalesce(domain_risk::int, 0) * ${weights.domain_expires}
      + coalesce(uptime_risk::int, 0) * ${weights.uptime} + coalesce(traffic_risk::int, 0) * ${weights.traffic}) as weight
    from judged j
  )
  select (select count(*) from weighed) as count, (select round_half_even(coalesce(sum(mrr), 0)) from weighed) as mrr,
    (select coalesce(sum(round_half_even(mrr * weight / 100)), 0) from weighed)::bigint as at_risk,
    coalesce((
      select json_agg(json_build_object(
        'subscription_id', t.id, 'customer_id', t.customer_id, 'customer', coalesce(c.name, c.email),
        'plan_name', coalesce(p.name, t.plan_nickname, 'Subscription'), 'renews_at', iso_utc(t.renews_at),
        'mrr', round_half_even(t.mrr), 'at_risk', round_half_even(t.mrr * t.weight / 100), 'weight', t.weight,
        'card_expires', to_char(t.expires_on - interval '1 day', 'YYYY-MM'), 'domain', t.domain,
        'domain_expires_at', iso_utc(t.expires_at), 'uptime_percent', t.uptime, 'traffic_percent', t.traffic,
        'is_late', t.is_late, 'is_leaving', t.is_leaving, 'card_risk', coalesce(t.card_risk, false),
        'domain_risk', coalesce(t.domain_risk, false), 'uptime_risk', coalesce(t.uptime_risk, false),
        'traffic_risk', coalesce(t.traffic_risk, false)
      ) order by t.mrr * t.weight desc, t.mrr desc, t.id)
      from (select * from weighed order by mrr * weight desc, mrr desc, id limit $4) t
      left join customers c on c.id = t.customer_id left join products p on p.id = t.product_id
    ), '[]') as rows`

/** Subscriptions that renew between two moments, most MRR at risk first. */
export async function findRenewals(
  pool: Pool,
  { from, until, currency, limit }: { from: Date; until: Date; currency: string; limit: number },
): Promise<Renewals> {
  const [found] = await runStatement<Renewals>(pool, { text, values: [from, until, currency, limit], prepare: true })
  return found ?? { count: 0, mrr: 0, at_risk: 0, rows: [] }
}
