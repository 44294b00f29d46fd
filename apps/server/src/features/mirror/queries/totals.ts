import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

/** A kept figure that is not what the rows say. */
export type TotalDifference = { total: string; key: string; kept: string | null; computed: string | null }

/** One total: what is kept and what the rows make, both as (key, value) texts. */
type Check = { total: string; kept: string; computed: string }

/** The days of what is kept by the hour too: what the hours make. */
function daysCheck(
  name: 'mrr' | 'revenue' | 'segment' | 'balance',
  keys: readonly string[],
  sums: readonly string[],
): Check {
  const [key, zeros] = [keys.join(" || ' ' || "), sums.map(() => 0).join(', ')]
  const day = "date_trunc('day', hour, 'UTC')"
  const added = sums.map((sum) => `sum(${sum})`)
  const values = (of: readonly string[]) =>
    `jsonb_build_array(${of.map((one) => `trim_scale(${one}::numeric)`).join(', ')})::text`
  return {
    total: `${name}_days`,
    kept: `select iso_utc(day) || ' ' || ${key}, ${values(sums)} from ${name}_days where (${sums.join(', ')}) <> (${zeros})`,
    computed: `select iso_utc(${day}) || ' ' || ${key}, ${values(added)} from ${name}_hours group by ${[day, ...keys].join(', ')}
      having (${added.join(', ')}) <> (${zeros})`,
  }
}

const checks: readonly Check[] = [
  {
    total: 'daily_revenue',
    kept: `select day || ' ' || currency, jsonb_build_array(captured, refunded, lost, net, succeeded, failed)::text
      from daily_revenue where (captured, refunded, lost, net, succeeded, failed) <> (0, 0, 0, 0, 0, 0)`,
    computed: `select day || ' ' || currency, jsonb_build_array(captured, refunded, lost, net, succeeded, failed)::text
      from (
        select (created_at at time zone 'UTC')::date as day, currency,
          coalesce(sum(amount_captured) filter (where paid), 0) as captured,
          coalesce(sum(amount_refunded) filter (where paid), 0) as refunded,
          coalesce(sum(amount_lost) filter (where paid), 0) as lost,
          sum(net_amount) as net, count(*) filter (where paid) as succeeded,
          count(*) filter (where counts_as_failed) as failed
        from (select *, status in ('succeeded', 'refunded') as paid from payments where deleted_at is null) p
        group by 1, 2
      ) r where (captured, refunded, lost, net, succeeded, failed) <> (0, 0, 0, 0, 0, 0)`,
  },
  {
    total: 'payment_totals',
    kept: `select status || ' ' || currency, jsonb_build_array(payments, net)::text
      from payment_totals where (payments, net) <> (0, 0)`,
    computed: `select status || ' ' || currency, jsonb_build_array(count(*), sum(net_amount))::text
      from payments where deleted_at is null group by status, currency`,
  },
  {
    total: 'customer_totals',
    kept: `select customer_id, jsonb_build_array(total_revenue, coalesce(other_revenue, '{}'), last_payment_at)::text
      from customer_totals
      where total_revenue <> 0 or coalesce(other_revenue, '{}') <> '{}' or last_payment_at is not null`,
    computed: `select customer_id, jsonb_build_array(home, coalesce(other, '{}'), newest)::text from (
        select customer_id, coalesce(sum(net) filter (where currency = default_currency()), 0) as home,
          jsonb_object_agg(currency, net) filter (where currency <> default_currency() and net <> 0) as other,
          max(newest) as newest
        from (
          select customer_id, currency, sum(net_amount) as net,
            max(created_at) filter (where status in ('succeeded', 'refunded')) as newest
          from payments where deleted_at is null and customer_id is not null group by 1, 2
        ) p group by customer_id
      ) c where home <> 0 or other is not null or newest is not null`,
  },
  {
    total: 'customer_totals',
    kept: `select customer_id, jsonb_build_array(owed, coalesce(other_owed, '{}'))::text
      from customer_totals where owed <> 0 or other_owed is not null`,
    computed: `select customer_id, jsonb_build_array(
          coalesce(sum(amount) filter (where currency = default_currency()), 0),
          coalesce(jsonb_object_agg(currency, amount) filter (where currency <> default_currency()), '{}')
        )::text
      from (
        select customer_id, currency, sum(amount_remaining) as amount from invoices
        where status = 'open' and deleted_at is null and customer_id is not null
        group by 1, 2 having sum(amount_remaining) <> 0
      ) i group by customer_id`,
  },
  {
    total: 'subscription_totals',
    kept: `select product_id || ' ' || status || ' ' || currency,
        jsonb_build_array(subscriptions, trim_scale(mrr), revenue)::text
      from subscription_totals where (subscriptions, mrr, revenue) <> (0, 0, 0)`,
    computed: `select coalesce(product_id, '') || ' ' || status || ' ' || currency,
        jsonb_build_array(count(*), trim_scale(sum(mrr)), sum(total_revenue))::text
      from subscriptions where deleted_at is null group by coalesce(product_id, ''), status, currency`,
  },
  {
    total: 'daily_subscriptions',
    kept: `select day || ' ' || currency,
        jsonb_build_array(started, ended, trim_scale(mrr_started), trim_scale(mrr_ended))::text
      from daily_subscriptions where (started, ended, mrr_started, mrr_ended) <> (0, 0, 0, 0)`,
    computed: `select day || ' ' || currency,
        jsonb_build_array(sum(started), sum(ended), trim_scale(sum(mrr_started)), trim_scale(sum(mrr_ended)))::text
      from (
        select (running_from at time zone 'UTC')::date as day, currency, 1 as started, 0 as ended,
          mrr_running as mrr_started, 0::numeric as mrr_ended
        from subscriptions where deleted_at is null and running_from is not null
        union all
        select (ended_at at time zone 'UTC')::date, currency, 0, 1, 0, mrr_running
        from subscriptions where deleted_at is null and running_from is not null and ended_at is not null
      ) m group by day, currency`,
  },
  {
    total: 'customer_counts',
    kept: `select status || ' ' || is_live, customers::text from customer_counts where customers <> 0`,
    computed: `select status || ' ' || is_live, count(*)::text from customers group by status, is_live`,
  },
  {
    total: 'daily_customers',
    kept: `select day::text, created::text from daily_customers where created <> 0`,
    computed: `select ((created_at at time zone 'UTC')::date)::text, count(*)::text from customers group by 1`,
  },
  {
    total: 'customers',
    kept: `select id, jsonb_build_array(status, is_live, account_type, subscription_id)::text from customers`,
    computed: `select x.id, jsonb_build_array(
        case
          when x.hidden_at is not null then 'deleted'
          when x.suspended_at is not null or x.suspended_hint then 'suspended'
          when s.live then 'active'
          when x.deleted_at is not null or s.all_ended then 'cancelled'
          else 'pending'
        end,
        coalesce(s.live, false) and x.deleted_at is null,
        case
          when x.account_type_hint in ('enterprise', 'professional', 'starter', 'free') then x.account_type_hint
          when s.tier in ('enterprise', 'professional', 'starter', 'free') then s.tier
          when s.live then 'starter'
          else 'free'
        end,
        s.newest_live)::text
      from customers x left join (
        select u.customer_id, bool_or(u.live) as live, bool_and(u.status = 'cancelled') as all_ended,
          (array_agg(u.id order by u.created_at desc, u.id desc) filter (where u.live))[1] as newest_live,
          (array_agg(p.tier order by u.created_at desc, u.id desc) filter (where u.live))[1] as tier
        from (select *, status in ('active', 'trialing', 'past_due') as live from subscriptions where deleted_at is null) u
        left join products p on p.id = u.product_id group by u.customer_id
      ) s on s.customer_id = x.id`,
  },
  {
    total: 'subscriptions',
    kept: `select id, jsonb_build_array(total_revenue, failed_payments)::text from subscriptions`,
    computed: `select s.id, jsonb_build_array(coalesce(m.revenue, 0), coalesce(m.failed, 0))::text
      from subscriptions s left join (
        select i.subscription_id,
          sum(i.amount_paid) - sum(case when i.status = 'paid' then coalesce(r.refunded, 0) else 0 end) as revenue,
          count(*) filter (where i.attempt_count > 0 and i.status in ('open', 'uncollectible')) as failed
        from invoices i left join (
          select ip.invoice_id, sum(p.amount_refunded) as refunded
          from invoice_payments ip join payments p on p.id = ip.payment_id where ip.status = 'paid' group by 1
        ) r on r.invoice_id = i.id
        where i.deleted_at is null and i.subscription_id is not null group by 1
      ) m on m.subscription_id = s.id`,
  },
  {
    total: 'payments',
    kept: `select id, jsonb_build_array(disputed, dispute_status, amount_lost)::text from payments where disputed or amount_lost <> 0`,
    computed: `select p.id, jsonb_build_array(true, (array_agg(d.status order by d.created_at desc, d.id desc))[1],
        coalesce(sum(d.amount) filter (where d.status = 'lost' and d.currency = p.currency), 0))::text
      from payments p join disputes d on d.payment_id = p.id and d.deleted_at is null group by p.id`,
  },
  {
    total: 'mrr_changes',
    kept: `select subscription_id, trim_scale(sum(mrr))::text from (
        select distinct on (c.subscription_id, c.customer_id, c.currency) c.subscription_id, c.mrr from (
          select *, min(at) filter (where basis = 'exact') over (partition by subscription_id) as exact_at from mrr_changes
        ) c
        where c.basis = 'exact' or c.exact_at is null or c.at < c.exact_at
        order by c.subscription_id, c.customer_id, c.currency, c.at desc, c.id desc
      ) l where mrr <> 0 group by 1`,
    computed: `select id, trim_scale(mrr)::text from subscriptions where deleted_at is null and mrr <> 0`,
  },
  {
    total: 'mrr_movements',
    kept: `select customer_id || ' ' || currency || ' ' || iso_utc(at), jsonb_build_array(kind, trim_scale(before), trim_scale(after),
        subscription_id, reconstructed, first_at)::text from mrr_movements`,
    computed: `select customer_id || ' ' || currency || ' ' || iso_utc(at), jsonb_build_array(kind, trim_scale(before), trim_scale(after),
        subscription_id, reconstructed, first_at)::text
      from mrr_movements_of(array(select distinct customer_id from mrr_changes))`,
  },
  {
    total: 'mrr_hours',
    kept: `select iso_utc(hour) || ' ' || currency || ' ' || kind, jsonb_build_array(movements, trim_scale(amount), reconstructed)::text
      from mrr_hours where (movements, amount, reconstructed) <> (0, 0, 0)`,
    computed: `select iso_utc(date_trunc('hour', at, 'UTC')) || ' ' || currency || ' ' || kind,
        jsonb_build_array(count(*), trim_scale(sum(after - before)), count(*) filter (where reconstructed))::text
      from mrr_movements group by date_trunc('hour', at, 'UTC'), currency, kind`,
  },
  {
    total: 'revenue_hours',
    kept: `select iso_utc(hour) || ' ' || currency, jsonb_build_array(payments, gross, refunded, lost, tax)::text
      from revenue_hours where (payments, gross, refunded, lost, tax) <> (0, 0, 0, 0, 0)`,
    computed: `select iso_utc(hour) || ' ' || currency,
        jsonb_build_array(sum(payments), sum(gross), sum(refunded), sum(lost), sum(tax))::text
      from (
        select date_trunc('hour', created_at, 'UTC') as hour, currency, 1 as payments, amount_captured as gross,
          amount_refunded as refunded, amount_lost as lost, 0 as tax
        from payments where deleted_at is null and status in ('succeeded', 'refunded')
        union all
        select date_trunc('hour', t.at, 'UTC'), r.currency, 0, 0, t.sign * r.amount, 0, 0
        from refunds r join payments p on p.id = r.payment_id and p.currency = r.currency and p.deleted_at is null
          and p.status in ('succeeded', 'refunded'),
          lateral (values (r.created_at, 1), (p.created_at, -1)) t (at, sign)
        where r.deleted_at is null and r.status not in ('failed', 'canceled')
        union all
        select date_trunc('hour', t.at, 'UTC'), d.currency, 0, 0, 0, t.sign * d.amount, 0
        from disputes d join payments p on p.id = d.payment_id and p.currency = d.currency and p.deleted_at is null
          and p.status in ('succeeded', 'refunded'),
          lateral (values (d.created_at, 1), (p.created_at, -1)) t (at, sign)
        where d.deleted_at is null and d.status = 'lost'
        union all
        select date_trunc('hour', paid_at, 'UTC'), currency, 0, 0, 0, 0, tax
        from invoices where deleted_at is null and status = 'paid' and paid_at is not null
      ) r group by 1
      having (sum(payments), sum(gross), sum(refunded), sum(lost), sum(tax)) <> (0, 0, 0, 0, 0)`,
  },
  {
    total: 'customers.segment',
    kept: `select id, segment from customers where segment <> 'other'`,
    computed: `select c.id, case when s.status = 'trialing' then 'free_trial' else c.account_type end
      from customers c join subscriptions s on s.id = c.subscription_id
      where c.is_live and (s.status = 'trialing' or c.account_type in ('enterprise', 'professional', 'starter'))`,
  },
  {
    total: 'customers.product_id',
    kept: `select id, product_id from customers where product_id is not null`,
    computed: `select c.id, s.product_id from customers c join subscriptions s on s.id = c.subscription_id
      where s.product_id is not null`,
  },
  {
    total: 'segment_hours',
    kept: `select iso_utc(hour) || ' ' || currency || ' ' || segment, net::text from segment_hours where net <> 0`,
    computed: `select iso_utc(m.hour) || ' ' || m.currency || ' ' || coalesce(c.segment, 'other'), sum(m.amount)::text
      from (
        select customer_id, date_trunc('hour', created_at, 'UTC') as hour, currency, net_amount as amount
        from payments where deleted_at is null
        union all
        select r.customer_id, date_trunc('hour', t.at, 'UTC'), r.currency, t.sign * r.amount
        from refunds r join payments p on p.id = r.payment_id and p.currency = r.currency and p.deleted_at is null
          and p.status in ('succeeded', 'refunded'),
          lateral (values (p.created_at, 1), (r.created_at, -1)) t (at, sign)
        where r.deleted_at is null and r.status not in ('failed', 'canceled')
        union all
        select d.customer_id, date_trunc('hour', t.at, 'UTC'), d.currency, t.sign * d.amount
        from disputes d join payments p on p.id = d.payment_id and p.currency = d.currency and p.deleted_at is null
          and p.status in ('succeeded', 'refunded'),
          lateral (values (p.created_at, 1), (d.created_at, -1)) t (at, sign)
        where d.deleted_at is null and d.status = 'lost'
      ) m left join customers c on c.id = m.customer_id
      group by m.hour, m.currency, coalesce(c.segment, 'other') having sum(m.amount) <> 0`,
  },
  {
    total: 'balance_hours',
    kept: `select iso_utc(hour) || ' ' || currency || ' ' || part, jsonb_build_array(transactions, amount, fee, net, converted)::text
      from balance_hours where (transactions, amount, fee, net, converted) <> (0, 0, 0, 0, 0)`,
    computed: `select iso_utc(date_trunc('hour', created_at, 'UTC')) || ' ' || currency || ' ' || part,
        jsonb_build_array(count(*), sum(amount), sum(fee), sum(net), count(exchange_rate))::text
      from balance_transactions where deleted_at is null group by date_trunc('hour', created_at, 'UTC'), currency, part`,
  },
  daysCheck('mrr', ['currency', 'kind'], ['movements', 'amount', 'reconstructed']),
  daysCheck('revenue', ['currency'], ['payments', 'gross', 'refunded', 'lost', 'tax']),
  daysCheck('segment', ['currency', 'segment'], ['net']),
  daysCheck('balance', ['currency', 'part'], ['transactions', 'amount', 'fee', 'net', 'converted']),
  {
    total: 'balance_transactions.customer_id',
    kept: `select id, customer_id from balance_transactions where customer_id is not null`,
    computed: `select b.id, coalesce(c.customer_id, r.customer_id, d.customer_id) from balance_transactions b
      left join charges c on c.id = b.source_id left join refunds r on r.id = b.source_id left join disputes d on d.id = b.source_id
      where coalesce(c.customer_id, r.customer_id, d.customer_id) is not null`,
  },
  {
    total: 'invoice_terms',
    kept: `select invoice_id || ' ' || line_id || ' ' || refund_id, jsonb_build_array(amount, starts_at, ends_at, paid_at, stopped_at)::text
      from invoice_terms`,
    computed: `select l.invoice_id || ' ' || l.line_id || ' ' || coalesce(r.id, ''), jsonb_build_array(
          case when r.id is null then l.amount else -round_half_even(r.amount::numeric * l.amount / l.amount_paid) end,
          l.starts_at, l.ends_at, greatest(l.paid_at, r.created_at), s.ended_at)::text
      from long_lines(array(select id from invoices)) l
      left join subscriptions s on s.id = l.subscription_id
      left join lateral (
        select null as id, null::bigint as amount, null::timestamptz as created_at
        union all
        select r.id, r.amount, r.created_at from invoice_payments ip join refunds r on r.payment_id = ip.payment_id
        where ip.invoice_id = l.invoice_id and ip.status = 'paid' and ip.deleted_at is null and r.taken_off is not null
          and r.currency = l.currency and l.amount_paid > 0
        group by r.id, r.amount, r.created_at
      ) r on true
      where l.amount <> 0`,
  },
]

const perCheck = 50

async function runCheck(db: Db, { total, kept, computed }: Check): Promise<TotalDifference[]> {
  const { rows } = await sql<TotalDifference>`
    select ${total} as total, coalesce(k.key, c.key) as key, k.value as kept, c.value as computed
    from (${sql.raw(kept)}) as k (key, value) full join (${sql.raw(computed)}) as c (key, value) on c.key = k.key
    where k.value is distinct from c.value order by 2 limit ${sql.lit(perCheck)}`.execute(db)
  return rows
}

/**
 * Computes every kept total and derived column again from the rows. Answers what differs; nothing when all is well.
 */
export async function verifyTotals(db: Db): Promise<TotalDifference[]> {
  // One snapshot, or a write between two questions would look like a difference.
  const inSnapshot = async (tx: Db): Promise<TotalDifference[]> => {
    const found: TotalDifference[] = []
    for (const check of checks) found.push(...(await runCheck(tx, check)))
    return found
  }
  if (db.isTransaction) return inSnapshot(db)
  return db.transaction().setIsolationLevel('repeatable read').execute(inSnapshot)
}

/** What customers paid and owe, again: it is split by the default currency of the account, which has changed. */
export async function rebuildCustomerTotals(db: Db): Promise<void> {
  await sql`update customer_totals set total_revenue = 0, other_revenue = null, owed = 0, other_owed = null`.execute(db)
  await sql`
    insert into customer_totals as t (customer_id, total_revenue, other_revenue)
    select customer_id, coalesce(sum(net) filter (where currency = default_currency()), 0),
      jsonb_object_agg(currency, net) filter (where currency <> default_currency() and net <> 0)
    from (
      select customer_id, currency, sum(net_amount) as net
      from payments where deleted_at is null and customer_id is not null group by 1, 2
    ) p group by customer_id
    on conflict (customer_id) do update set
      total_revenue = excluded.total_revenue, other_revenue = excluded.other_revenue`.execute(db)
  await sql`
    update customer_totals t set owed = d.owed, other_owed = d.other_owed
    from (
      select customer_id, coalesce(sum(amount) filter (where currency = default_currency()), 0) as owed,
        jsonb_object_agg(currency, amount) filter (where currency <> default_currency()) as other_owed
      from (
        select customer_id, currency, sum(amount_remaining) as amount from invoices
        where status = 'open' and deleted_at is null and customer_id is not null
        group by 1, 2 having sum(amount_remaining) <> 0
      ) i group by customer_id
    ) d where d.customer_id = t.customer_id`.execute(db)
}
