import type { ChurnCause, ChurnedCustomer } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

// Each cause is looked up in what happened in the range, not customer by customer. The first that fits counts.
const causes = `left_us as materialized (
    select customer_id, at, before, subscription_id,
      round_half_even(running) - round_half_even(running - before) as mrr
    from (
      select m.customer_id, m.at, m.before, m.subscription_id, sum(m.before) over (order by m.at, m.customer_id) as running
      from mrr_movements m where m.kind = 'churn' and m.at >= $1 and m.at < $2 and m.currency = $3
    ) m
  ),
  failed as (
    select distinct on (l.customer_id, l.at) l.customer_id, l.at, p.created_at, p.failure_message
    from payments p join left_us l on l.customer_id = p.customer_id
      and p.created_at > l.at - interval '30 days' and p.created_at <= l.at + interval '1 hour'
    where p.counts_as_failed and p.deleted_at is null and p.created_at > $1::timestamptz - interval '30 days' and p.created_at < $2
    order by l.customer_id, l.at, p.created_at desc
  ),
  dearer as (
    select distinct on (l.customer_id, l.at) l.customer_id, l.at, m.at as rose_at, m.after - m.before as by
    from mrr_movements m join left_us l on l.customer_id = m.customer_id
      and m.at > l.at - interval '60 days' and m.at < l.at
    where m.kind = 'expansion' and m.subscription_id is not null and m.subscription_id = l.subscription_id
      and m.currency = $3 and m.at > $1::timestamptz - interval '60 days' and m.at < $2
    order by l.customer_id, l.at, m.at desc
  ),
  down as (
    select l.customer_id, l.at, (array_agg(s.domain order by d.down_seconds desc))[1] as domain, sum(d.down_seconds) as seconds
    from site_probe_days d join sites s on s.id = d.site_id join left_us l on l.customer_id = s.customer_id
      and d.day >= (l.at - interval '30 days')::date and d.day <= l.at::date
    where d.down_seconds > 0 and d.day >= ($1::timestamptz - interval '30 days')::date and d.day <= $2::timestamptz::date
    group by l.customer_id, l.at having sum(d.down_seconds) >= 300
  ),
  unlaunched as (
    select s.customer_id from sites s join (select distinct customer_id from left_us) l on l.customer_id = s.customer_id
    group by s.customer_id having bool_and(s.last_deployment is null and s.health_status <> 'healthy' and not exists (
      select from deployment_counts d where d.site_id = s.id and d.status = 'success' and d.deployments > 0
    ))
  ),
  r as (
    select l.customer_id, l.at, l.mrr,
      case
        when f.customer_id is not null or unpaid.id is not null then 'failed_card'
        when p.customer_id is not null or too_dear.id is not null then 'price'
        when d.customer_id is not null then 'outage'
        when n.customer_id is not null then 'never_launched'
        else 'unknown'
      end as cause,
      case
        when f.customer_id is not null then 'Payment of ' || to_char(f.created_at, 'MM/DD/YYYY') || ' failed'
          || coalesce(': ' || f.failure_message, '')
        when unpaid.id is not null then 'Stripe ended it after failed payments'
        when too_dear.id is not null then 'The customer said it was too expensive'
        when p.customer_id is not null then 'The price rose on ' || to_char(p.rose_at, 'MM/DD/YYYY')
        when d.customer_id is not null then d.domain || ' was down for ' || ceil(d.seconds / 60.0) || ' minutes in the 30 days before'
        when n.customer_id is not null then 'No site was ever deployed'
        else 'Nothing found'
      end as evidence
    from left_us l
    left join subscriptions unpaid on unpaid.id = l.subscription_id
      and unpaid.raw #>> '{cancellation_details,reason}' = 'payment_failed'
    left join subscriptions too_dear on too_dear.id = l.subscription_id
      and too_dear.raw #>> '{cancellation_details,feedback}' = 'too_expensive'
    left join failed f on (f.customer_id, f.at) = (l.customer_id, l.at)
    left join dearer p on (p.customer_id, p.at) = (l.customer_id, l.at)
    left join down d on (d.customer_id, d.at) = (l.customer_id, l.at)
    left join unlaunched n on n.customer_id = l.customer_id
  )`

export type CauseSum = { cause: ChurnCause; customers: number; mrr: number }

export const findCauses = (pool: Pool, from: string, until: string, currency: string): Promise<CauseSum[]> =>
  runStatement<CauseSum>(pool, {
    text: `with ${causes} select cause, count(*) as customers, sum(mrr)::bigint as mrr from r group by cause`,
    values: [from, until, currency],
    prepare: true,
  })

export type Churned = { total: number; count: number; churned: ChurnedCustomer[] }

export async function findChurned(
  pool: Pool,
  wanted: { from: string; until: string; currency: string; cause: string | null; limit: number; offset: number },
): Promise<Churned> {
  const { from, until, currency, cause, limit, offset } = wanted
  const [found] = await runStatement<Churned>(pool, {
    text: `with ${causes}, w as (select * from r where $4::text is null or cause = $4)
      select (select coalesce(sum(mrr), 0) from w)::bigint as total, (select count(*) from w) as count,
        coalesce((
          select json_agg(json_build_object('customer_id', p.customer_id, 'customer', coalesce(c.name, c.email),
            'at', iso_utc(p.at), 'mrr', p.mrr, 'currency', $3::text, 'cause', p.cause, 'evidence', p.evidence)
            order by p.at desc, p.customer_id)
          from (select * from w order by at desc, customer_id limit $5 offset $6) p left join customers c on c.id = p.customer_id
        ), '[]') as churned`,
    values: [from, until, currency, cause, limit, offset],
  })
  return found ?? { total: 0, count: 0, churned: [] }
}
