import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { type Amounts, type Page, pageOf } from './page-of.ts'

type Db = Pick<AppContext, 'db'>
export type PastDue = {
  id: string
  customer: string | null
  plan: string | null
  since: Date
  money: Amounts
  nextTryAt: Date | null
}

const dueOf = sql`
  select min(i.created_at) as since, json_agg(json_build_object('currency', i.currency, 'amount', i.amount)) as money,
    sum(i.amount) as amount, to_timestamp(min(i.next_try)) as next_try
  from (
    select i.currency, sum(i.amount_remaining)::bigint as amount, min(i.created_at) as created_at,
      min((i.raw ->> 'next_payment_attempt')::double precision) as next_try
    from invoices i
    where i.subscription_id = u.id and i.status = 'open' and i.amount_remaining > 0 and i.deleted_at is null
    group by i.currency
  ) i`

/** Subscriptions whose payment is being tried again; what they owe. */
export const findPastDue = ({ db }: Db, limit: number): Promise<Page<PastDue>> =>
  pageOf(
    sql<PastDue & { total: number }>`
      select u.id, coalesce(nullif(c.name, ''), nullif(c.email, '')) as customer, coalesce(u.plan_nickname, p.name) as plan,
        coalesce(due.since, u.current_period_start, u.created_at) as since,
        coalesce(due.money, json_build_array(json_build_object('currency', u.currency, 'amount', coalesce(u.amount, 0))))
          as money,
        due.next_try as "nextTryAt", (count(*) over ())::integer as total
      from subscriptions u
      left join customers c on c.id = u.customer_id
      left join products p on p.id = u.product_id
      left join lateral (${dueOf}) due on true
      where u.status = 'past_due' and u.deleted_at is null
      order by coalesce(due.amount, u.amount, 0) desc, u.id limit ${limit}`.execute(db),
  )

export type Recoverable = {
  id: string
  kind: 'invoice' | 'payment'
  customerId: string | null
  customer: string | null
  what: string | null
  why: string | null
  since: Date
  amount: number
  currency: string
}

/** Failed payments that somebody may still make: open invoices that are not told as past due, and single payments. */
export const findRecoverable = (
  { db }: Db,
  { since, singleSince }: { since: Date; singleSince: Date },
  limit: number,
): Promise<Page<Recoverable>> =>
  pageOf(
    sql<Recoverable & { total: number }>`
      select x.id, x.kind, x.customer_id as "customerId", coalesce(nullif(c.name, ''), nullif(c.email, '')) as customer,
        x.what, x.why, x.since, x.amount, x.currency, (count(*) over ())::integer as total
      from (
        select i.id, 'invoice' as kind, i.customer_id, i.number as what, null as why, i.created_at as since,
          i.amount_remaining as amount, i.currency
        from invoices i left join subscriptions u on u.id = i.subscription_id
        where i.status = 'open' and i.attempt_count > 0 and i.amount_remaining > 0 and i.deleted_at is null
          and i.created_at > ${since} and coalesce(u.status, 'active') in ('active', 'trialing', 'incomplete', 'unpaid')
        union all
        select p.id, 'payment', p.customer_id, p.description, p.failure_message, p.created_at, p.amount, p.currency
        from payments p
        where p.counts_as_failed and p.status = 'failed' and p.deleted_at is null and p.created_at > ${singleSince}
          and p.customer_id is not null
          and not exists (select from invoice_payments ip where ip.payment_id = p.id and ip.deleted_at is null)
          and not exists (
            select from payments later
            where later.customer_id = p.customer_id and later.deleted_at is null and later.created_at > p.created_at
              and later.status in ('succeeded', 'pending', 'processing') and later.amount = p.amount
          )
      ) x
      left join customers c on c.id = x.customer_id
      where c.hidden_at is null
      order by x.amount desc, x.id limit ${limit}`.execute(db),
  )

export type StuckPurchase = {
  id: string
  metadata: Record<string, string>
  product: string | null
  customer: string | null
  at: Date
  amount: number | null
  currency: string | null
}

/**
 * Paid, and its shop wrote no address of a site, although it does so for others; nor has the customer a site here.
 */
export const findStuckPurchases = (
  { db }: Db,
  { from, until }: { from: Date; until: Date },
  limit: number,
): Promise<Page<StuckPurchase>> =>
  pageOf(
    sql<StuckPurchase & { total: number }>`
      select k.id, k.metadata, p.name as product,
        coalesce(nullif(c.name, ''), nullif(c.email, ''), k.customer_email) as customer, k.created_at as at,
        k.amount_total as amount, k.currency, (count(*) over ())::integer as total
      from checkout_sessions k
      left join customers c on c.id = k.customer_id
      left join subscriptions u on u.id = k.subscription_id
      left join products p on p.id = u.product_id
      left join payments paid on paid.id = k.payment_id
      where k.deleted_at is null and k.mode <> 'setup' and k.status = 'complete'
        and k.payment_status in ('paid', 'no_payment_required')
        and k.created_at > ${from} and k.created_at < ${until}
        and k.metadata ?| array['site_name', 'siteName', 'site_id', 'siteId']
        and not k.metadata ?| array['production_url', 'productionUrl']
        and coalesce(c.site_count, 0) = 0 and c.hidden_at is null
        and coalesce(u.status, 'active') <> 'cancelled' and coalesce(paid.status, 'succeeded') <> 'refunded'
        and not exists (select from reset_purchases h where h.purchase_id = k.id)
        and exists (
          select from checkout_sessions other
          where other.deleted_at is null and other.created_at > ${from}
            and other.metadata ?| array['production_url', 'productionUrl']
        )
      order by coalesce(k.amount_total, 0) desc, k.id limit ${limit}`.execute(db),
  )

export type DriftNeed = { id: string; title: string; class: string; text: string | null; since: Date; money: Amounts }

/** Rows of money drift that nobody has dismissed, without what an active incident tells already. */
export const findDriftNeeds = ({ db }: Db, now: Date, limit: number): Promise<Page<DriftNeed>> =>
  pageOf(
    sql<DriftNeed & { total: number }>`
      select d.id, d.subject_name as title, d.class, d.evidence -> 0 ->> 'text' as text, d.since, d.money,
        (count(*) over ())::integer as total
      from money_drift d
      where not exists (
          select from money_drift_dismissals m where m.drift_id = d.id and m.facts = d.facts and m.until > ${now}
        )
        and not (d.variant = 'down' and exists (
          select from alert_sites t join alerts a on a.id = t.alert_id join incidents i on i.id = a.incident_id
          where t.site_id = d.site_id and i.resolved_at is null
        ))
      order by d.money_order desc, d.since, d.id limit ${limit}`.execute(db),
  )
