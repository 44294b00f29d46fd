import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { graceMs, knownForMs } from '../grace.ts'
import { type Paying, paying, payingColumns } from './paying.ts'

export type Undelivered = Paying & {
  variant: 'down' | 'never_deployed' | 'suspended'
  siteId: string
  siteName: string
  domain: string
  customerId: string
  customerName: string | null
  createdAt: Date
  provider: string | null
  /** Since when it is down, or suspended. */
  since: Date | null
  checkedAt: Date | null
  detail: string | null
  reason: string | null
  failedAt: Date | null
}

/** Sites that their customers pay for and do not have. */
export async function findUndelivered({ db }: Pick<AppContext, 'db'>, now: Date): Promise<Undelivered[]> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<Undelivered>`
    select x.variant, s.id as "siteId", s.site_name as "siteName", s.domain, s.customer_id as "customerId",
      s.customer_name as "customerName", s.created_at as "createdAt", s.provider,
      case x.variant when 'down' then st.since when 'suspended' then coalesce(susp.suspended_at, susp.created_at) end
        as since,
      s.health_checked_at as "checkedAt", s.health_detail as detail, susp.reason,
      (select max(d.completed_at) from deployments d where d.site_id = s.id and d.status = 'failed') as "failedAt",
      ${payingColumns}
    from sites s
    left join site_probe_states st on st.site_id = s.id
    left join site_suspensions susp on susp.site_id = s.id and susp.state <> 'lifted'
    cross join lateral (
      select case
        when s.status = 'active' and s.at_provider = 'served' and s.health_status = 'down'
          and s.health_checked_at > ${before(knownForMs.check)} and st.since < ${before(graceMs.down)} then 'down'
        when s.status = 'pending' and s.last_deployment is null and s.created_at < ${before(graceMs.made)}
          and s.health_status not in ('healthy', 'degraded') then 'never_deployed'
        when s.status = 'suspended' and s.at_provider = 'offline'
          and coalesce(susp.suspended_at, susp.created_at) < ${before(graceMs.made)} then 'suspended'
      end as variant
    ) x
    left join lateral ${paying(sql`s.customer_id`)} pay on true
    where s.deleted_at is null and x.variant is not null and pay.money is not null
      and (x.variant = 'down' or pay."payingSince" < ${before(graceMs.made)})
      and not site_in_maintenance(s.id, s.status, ${now})
      and not (x.variant = 'down' and is_false_alarm(s.id, ${now}))
      and not exists (
        select from deployments d where d.site_id = s.id and d.status in ('queued', 'building', 'deploying')
      )
    order by s.id`.execute(db)
  return rows
}

export type Unmade = Paying & {
  purchaseId: string
  metadata: Record<string, string>
  customerId: string
  customerName: string | null
  boughtAt: Date
  seenAt: Date
}

/** Sites that were bought with a subscription which is paid, whose owner has no site here, and whose address the shop never wrote. */
export async function findUnmade({ db }: Pick<AppContext, 'db'>, now: Date): Promise<Unmade[]> {
  const { rows } = await sql<Unmade>`
    select distinct on (k.subscription_id) k.id as "purchaseId", k.metadata, c.id as "customerId",
      coalesce(nullif(c.name, ''), nullif(c.email, '')) as "customerName", k.created_at as "boughtAt",
      k.fetched_at as "seenAt", ${payingColumns}
    from checkout_sessions k
    join subscriptions u on u.id = k.subscription_id and u.deleted_at is null and u.status = 'active' and u.mrr > 0
    join customers c on c.id = u.customer_id and c.deleted_at is null and c.hidden_at is null
    left join lateral ${paying(sql`c.id`)} pay on true
    where k.deleted_at is null and k.mode = 'subscription' and k.status = 'complete'
      and k.payment_status in ('paid', 'no_payment_required')
      and k.created_at < ${new Date(now.getTime() - graceMs.made)}
      and k.metadata ?| array['site_name', 'siteName', 'site_id', 'siteId']
      and not k.metadata ?| array['production_url', 'productionUrl']
      and c.site_count = 0
      and pay.money is not null
      and not exists (select from reset_purchases h where h.purchase_id = k.id)
    order by k.subscription_id, k.created_at desc, k.id`.execute(db)
  return rows
}
