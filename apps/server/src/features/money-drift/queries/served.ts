import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { graceMs, knownForMs } from '../grace.ts'

export type Served = {
  siteId: string
  siteName: string
  domain: string
  customerId: string | null
  customerName: string | null
  createdAt: Date
  atProvider: string
  suspendedAt: Date | null
  checkedAt: Date
  detail: string | null
  subscriptionId: string | null
  plan: string | null
  status: string | null
  endedAt: Date | null
  periodEnd: Date | null
  currency: string | null
  amount: number | null
  subscriptionSeenAt: Date | null
  /** Its last period was paid and given back. */
  isRefunded: boolean | null
  refundedAt: Date | null
  openSince: Date | null
  onceRefundedAt: Date | null
}

/** Money of an invoice that was paid and is gone again: refunded, or lost in a dispute. */
const givenBack = sql`
  select bool_and(p.status in ('succeeded', 'refunded') and p.net_amount <= 0) as gone,
    max(coalesce((select max(r.created_at) from refunds r where r.payment_id = p.id), p.created_at)) as at
  from invoice_payments ip join payments p on p.id = ip.payment_id
  where ip.invoice_id = i.id and ip.status = 'paid' and ip.deleted_at is null`

/** Of a subscription that ended: what its last period came to. */
const lastPeriod = sql`
  select count(*) as invoices, bool_or(i.status = 'paid' and not coalesce(r.gone, false)) as paid,
    bool_or(i.status = 'paid' and coalesce(r.gone, false)) as gone, max(r.at) filter (where r.gone) as gone_at,
    min(i.created_at) filter (where i.status in ('open', 'uncollectible')) as open_since
  from invoices i left join lateral (${givenBack}) r on true
  where i.subscription_id = last.id and i.deleted_at is null and i.status <> 'draft'
    and i.created_at >= coalesce(last.current_period_start, '-infinity') - interval '1 day'`

/** What was paid outside subscriptions since the last of these ended. */
const once = (now: Date) => sql`
  select bool_or(p.net_amount > 0 or (p.status in ('pending', 'processing', 'uncaptured')
      and p.created_at > ${new Date(now.getTime() - graceMs.pending)})) as kept,
    max(coalesce((select max(r.created_at) from refunds r where r.payment_id = p.id), p.created_at))
      filter (where p.status in ('succeeded', 'refunded') and p.net_amount <= 0) as gone_at
  from payments p
  where p.customer_id = s.customer_id and p.deleted_at is null and p.created_at >= coalesce(last.ended, '-infinity')
    and not exists (
      select from invoice_payments ip join invoices i on i.id = ip.invoice_id
      where ip.payment_id = p.id and i.subscription_id is not null
    )`

/** An invoice by hand that is not due yet, or that was paid without a payment at the provider. */
const invoiced = (now: Date) => sql`
  select from invoices i
  where i.customer_id = s.customer_id and i.subscription_id is null and i.deleted_at is null and i.amount_due > 0
    and i.created_at >= coalesce(last.ended, '-infinity')
    and ((i.status = 'open' and i.due_at > ${now}) or (i.status = 'paid' and not exists (
      select from invoice_payments ip where ip.invoice_id = i.id and ip.deleted_at is null
    )))`

/** Sites that answer, are meant to be there for good, and that nobody pays for. */
export async function findServed({ db }: Pick<AppContext, 'db'>, now: Date): Promise<Served[]> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<Served>`
    select s.id as "siteId", s.site_name as "siteName", s.domain, s.customer_id as "customerId",
      s.customer_name as "customerName", s.created_at as "createdAt", s.at_provider as "atProvider",
      susp.created_at as "suspendedAt", s.health_checked_at as "checkedAt", s.health_detail as detail,
      last.id as "subscriptionId", last.plan, last.status, last.ended as "endedAt",
      last.current_period_end as "periodEnd", last.currency, last.amount, last.fetched_at as "subscriptionSeenAt",
      period.gone and not coalesce(period.paid, false) as "isRefunded", period.gone_at as "refundedAt",
      period.open_since as "openSince", once.gone_at as "onceRefundedAt"
    from sites s
    left join customers c on c.id = s.customer_id
    left join site_suspensions susp on susp.site_id = s.id and susp.state <> 'lifted'
    left join lateral (
      select u.id, u.status, u.current_period_start, u.current_period_end, u.currency,
        round(u.mrr_running)::bigint as amount, u.fetched_at, coalesce(u.plan_nickname, p.name) as plan,
        case when u.status = 'cancelled' then coalesce(u.ended_at, u.cancelled_at) end as ended
      from subscriptions u left join products p on p.id = u.product_id
      where u.customer_id = s.customer_id and u.deleted_at is null
        and u.status in ('cancelled', 'unpaid', 'paused') and u.stripe_status <> 'incomplete_expired'
      order by u.status = 'cancelled', coalesce(u.ended_at, u.cancelled_at, u.created_at) desc, u.id desc limit 1
    ) last on true
    left join lateral (${lastPeriod}) period on last.id is not null
    left join lateral (${once(now)}) once on s.customer_id is not null
    where s.deleted_at is null
      and ((s.status = 'active' and s.at_provider = 'served') or (s.status = 'suspended' and s.at_provider = 'still_served'))
      and s.health_status in ('healthy', 'degraded')
      and s.health_checked_at > ${before(knownForMs.check)}
      and (s.created_at < ${before(graceMs.served)} or exists (
        -- It was there before it was known here.
        select from site_status_changes h where h.site_id = s.id and h.cause = 'imported'
      ))
      and not site_in_maintenance(s.id, s.status, ${now})
      and (s.customer_id is null or c.id is not null)
      and c.account_type_hint is distinct from 'free'
      and not exists (
        select from subscriptions u
        where u.customer_id = s.customer_id and u.deleted_at is null and (
          u.status in ('active', 'trialing', 'past_due', 'unknown')
          or (u.status = 'incomplete' and u.created_at > ${before(graceMs.made)})
        )
      )
      and not coalesce(once.kept, false)
      and not exists (${invoiced(now)})
      and (last.status = 'cancelled' and last.current_period_end > ${now}
        and (period.paid or period.invoices = 0 or last.current_period_start is null)) is not true
      and (last.ended is null or last.ended < ${before(graceMs.ended)})
      and (susp.created_at is null or susp.created_at < ${before(graceMs.ended)})
    order by s.id`.execute(db)
  return rows
}
