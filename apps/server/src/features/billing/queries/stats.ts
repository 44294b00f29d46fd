import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

type Pair = { current: number; previous: number }

export type StatsRecord = {
  currency: string
  as_of: string | null
  by_currency: { currency: string; total_revenue: number; mrr: number }[]
  subscriptions: { active: number; trialing: number; past_due: number; total: number; unpriced: number }
  customers: { live: number; total: number }
  payments: number
  plans: number
  revenue: Pair
  failed: Pair
  created: Pair
  running: Pair
  running_mrr: Pair
}

type Source = {
  /** What is added up of the rows, and of which rows. */
  sum: string
  from: string
  where: string
  /** The column of the daily totals that holds the same. */
  daily: string
  days: string
  ofDays: string
}

/**
 * A window of 30 times 24 hours starts within a day. Of that day the rows themselves are added up (`part`): those after the
 * moment, or, when they are the larger half, those before it, which the day's total then lacks. Every later day comes from
 * the daily totals; the window before ends where this one starts.
 */
function windows(name: string, { sum, from, where, daily, days, ofDays }: Source): string {
  const rows = (range: string) => `(select ${sum} from ${from} where ${where} and ${range})`
  const part = (n: 30 | 60) => `case when w.next_${n} - w.from_${n} <= interval '12 hours'
      then ${rows(`created_at > w.from_${n} and created_at < w.next_${n}`)}
      else (select coalesce(sum(d.${daily}), 0) from ${days} d where d.day = w.day_${n} and ${ofDays})
        - ${rows(`created_at >= w.next_${n} - interval '24 hours' and created_at <= w.from_${n}`)} end`
  return `
  ${name}_parts as materialized (select ${part(30)} as part_30, ${part(60)} as part_60 from w),
  ${name} as materialized (
    select p.part_30 + coalesce(sum(d.${daily}) filter (where d.day > w.day_30), 0) as current,
      p.part_60 + coalesce(sum(d.${daily}) filter (where d.day <= w.day_30), 0) - p.part_30 as previous
    from w cross join ${name}_parts p left join ${days} d on d.day > w.day_60 and ${ofDays}
    group by p.part_30, p.part_60
  )`
}

const text = `with home as materialized (select default_currency() as currency),
  w as materialized (
    select at, day_30, day_60, at - interval '720 hours' as from_30, at - interval '1440 hours' as from_60,
      (day_30 + 1)::timestamp at time zone 'UTC' as next_30, (day_60 + 1)::timestamp at time zone 'UTC' as next_60
    from (
      select $1::timestamptz as at, (($1::timestamptz - interval '720 hours') at time zone 'UTC')::date as day_30,
        (($1::timestamptz - interval '1440 hours') at time zone 'UTC')::date as day_60
    ) t
  ),
  ${windows('revenue', {
    sum: 'coalesce(sum(net_amount), 0)',
    from: 'payments',
    where: 'deleted_at is null and currency = (select currency from home)',
    daily: 'net',
    days: 'daily_revenue',
    ofDays: 'd.currency = (select currency from home)',
  })},
  ${windows('failed', {
    sum: 'count(*)',
    from: 'payments',
    where: 'deleted_at is null and counts_as_failed',
    daily: 'failed',
    days: 'daily_revenue',
    ofDays: 'true',
  })},
  ${windows('created', {
    sum: 'count(*)',
    from: 'customers',
    where: 'true',
    daily: 'created',
    days: 'daily_customers',
    ofDays: 'true',
  })},
  running as (
    select coalesce(sum(d.started - d.ended), 0) as current,
      coalesce(sum(d.started - d.ended) filter (where d.day <= w.day_30), 0) as previous,
      round_half_even(coalesce(sum(d.mrr_started - d.mrr_ended) filter (where d.currency = home.currency), 0)) as mrr_current,
      round_half_even(coalesce(
        sum(d.mrr_started - d.mrr_ended) filter (where d.day <= w.day_30 and d.currency = home.currency), 0
      )) as mrr_previous
    from w cross join home left join daily_subscriptions d on d.day <= (w.at at time zone 'UTC')::date
  ),
  money as (
    select currency, sum(revenue) as total_revenue, round_half_even(sum(mrr)) as mrr from (
      select currency, net as revenue, 0 as mrr from payment_totals
      union all select currency, 0, mrr from subscription_totals
      union all select currency, 0, 0 from home
    ) m group by currency
  ),
  subscription_counts as (
    select coalesce(sum(subscriptions) filter (where status = 'active'), 0) as active,
      coalesce(sum(subscriptions) filter (where status = 'trialing'), 0) as trialing,
      coalesce(sum(subscriptions) filter (where status = 'past_due'), 0) as past_due,
      coalesce(sum(subscriptions), 0) as total,
      (select count(*) from subscriptions where not mrr_known and deleted_at is null) as unpriced
    from subscription_totals
  ),
  customer_sums as (
    select coalesce(sum(customers) filter (where is_live), 0) as live, coalesce(sum(customers), 0) as total
    from customer_counts where status <> 'deleted'
  )
select json_build_object(
  'currency', (select currency from home),
  'as_of', mirror_as_of(),
  'by_currency', (
    select json_agg(m order by m.currency <> home.currency, m.currency) from money m cross join home
    where m.currency = home.currency or m.total_revenue <> 0 or m.mrr <> 0
  ),
  'subscriptions', (select row_to_json(s) from subscription_counts s),
  'customers', (select row_to_json(c) from customer_sums c),
  'payments', (select coalesce(sum(payments), 0) from payment_totals),
  'plans', (
    select count(*) from products p where p.deleted_at is null
      and exists (select from prices where product_id = p.id and type = 'recurring' and deleted_at is null)
  ),
  'revenue', (select row_to_json(r) from revenue r),
  'failed', (select row_to_json(f) from failed f),
  'created', (select row_to_json(c) from created c),
  'running', (select json_build_object('current', current, 'previous', previous) from running),
  'running_mrr', (select json_build_object('current', mrr_current, 'previous', mrr_previous) from running)
)::text as record`

/** All figures in one round trip, from the totals that are kept with the rows. */
export async function findStats(pool: Pool, now: Date): Promise<StatsRecord> {
  const [row] = await runStatement<{ record: string }>(pool, { text, values: [now], prepare: true })
  return JSON.parse(row?.record ?? '') as StatsRecord
}
