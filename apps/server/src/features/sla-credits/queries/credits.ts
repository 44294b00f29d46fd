import type { CreditLine, UptimePromise } from '@agency/contract/sla-credits'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Pick<AppContext, 'db'>

export type AffectedSite = { site_id: string; domain: string; customer_id: string; created_at: Date }

/** With when the first alert saw something, which may be before somebody opened the incident by hand. */
export async function findAffectedSites({ db }: Db, incidentId: string): Promise<AffectedSite[]> {
  const { rows } = await sql<AffectedSite>`
    select distinct s.id as site_id, s.domain, s.customer_id, s.created_at
    from alerts a join alert_sites t on t.alert_id = a.id join sites s on s.id = t.site_id
    where a.incident_id = ${incidentId} and s.customer_id is not null order by s.customer_id, s.domain`.execute(db)
  return rows
}

/** From the first failed look on. */
export async function findSeenFrom({ db }: Db, incidentId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select saw_from(min(opened_at)) as at from alerts where incident_id = ${incidentId}`.execute(db)
  return rows[0]?.at ?? null
}

export type PromisedSubscription = {
  customer_id: string
  subscription_id: string
  currency: string
  plan_name: string
  price: number
  promise: UptimePromise
  promise_version: number
}

/** Paid subscriptions whose plan promised something at that moment. A month of them, never more than their period costs. */
export async function findPromised(
  { db }: Db,
  customerIds: readonly string[],
  at: Date,
): Promise<PromisedSubscription[]> {
  const { rows } = await sql<PromisedSubscription>`
    select s.customer_id, s.id as subscription_id, s.currency, p.name as plan_name,
      least(floor(s.mrr), s.amount)::bigint as price, u.promise, u.version as promise_version
    from subscriptions s join products p on p.id = s.product_id
    join lateral (
      select promise, version from uptime_promises
      where plan_id = s.product_id and created_at <= ${at} order by version desc limit 1
    ) u on u.promise is not null
    where s.customer_id = any(${[...customerIds]}::text[]) and s.deleted_at is null and s.status = 'active'
      and s.mrr >= 1 and s.amount > 0
    order by s.customer_id, s.id`.execute(db)
  return rows
}

export type CustomerFacts = { id: string; name: string | null; currency: string | null; is_deleted: boolean }

export async function findCustomers({ db }: Db, ids: readonly string[]): Promise<CustomerFacts[]> {
  const { rows } = await sql<CustomerFacts>`
    select w.id, c.name, c.raw ->> 'currency' as currency, c.id is null or c.deleted_at is not null as is_deleted
    from unnest(${[...ids]}::text[]) w (id) left join customers c on c.id = w.id
    order by c.name nulls last, w.id`.execute(db)
  return rows
}

/** What other incidents have already given, by `subscription month`. */
export async function findGivenBefore(
  { db }: Db,
  customerIds: readonly string[],
  incidentId: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ key: string; amount: number }>`
    select l.subscription_id || ' ' || l.month as key, sum(l.amount)::bigint as amount
    from sla_credits c join money_actions a on a.id = c.action_id and a.state <> 'failed'
    cross join lateral jsonb_to_recordset(c.lines) as l (subscription_id text, month text, amount bigint)
    where c.customer_id = any(${[...customerIds]}::text[]) and c.incident_id <> ${incidentId}
    group by 1`.execute(db)
  return new Map(rows.map(({ key, amount }) => [key, amount]))
}

export type GivenRow = {
  customer_id: string
  action_id: string
  amount: number
  currency: string
  lines: CreditLine[]
  created_by: string
  finished_at: Date | null
  state: 'started' | 'done' | 'unknown'
}

/** Those that are given, or may be. */
export async function findGiven({ db }: Db, incidentId: string): Promise<GivenRow[]> {
  const { rows } = await sql<GivenRow>`
    select c.customer_id, c.action_id, c.amount, c.currency, c.lines, c.created_by, a.finished_at, a.state
    from sla_credits c join money_actions a on a.id = c.action_id
    where c.incident_id = ${incidentId} and a.state <> 'failed'`.execute(db)
  return rows
}

/** Of two that credit one customer the second sees what the first has begun. */
export async function lockCredits({ db }: Pick<TransactionContext, 'db'>, customerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sla credits of ${customerId}`}, 0))`.execute(db)
}

type NewCredit = Pick<GivenRow, 'customer_id' | 'action_id' | 'amount' | 'currency' | 'lines' | 'created_by'> & {
  incident_id: string
  created_at: Date
}

/** Answers false where one is there that has not failed for certain. */
export async function insertCredit({ db }: Pick<TransactionContext, 'db'>, credit: NewCredit): Promise<boolean> {
  const { rows } = await sql`
    insert into sla_credits as c (incident_id, customer_id, action_id, amount, currency, lines, created_at, created_by)
    values (${credit.incident_id}, ${credit.customer_id}, ${credit.action_id}, ${credit.amount}, ${credit.currency},
      ${toJson(credit.lines)}::jsonb, ${credit.created_at}, ${credit.created_by})
    on conflict (incident_id, customer_id) do update set action_id = excluded.action_id, amount = excluded.amount,
      currency = excluded.currency, lines = excluded.lines, created_at = excluded.created_at,
      created_by = excluded.created_by
    where exists (select from money_actions a where a.id = c.action_id and a.state = 'failed')
    returning incident_id`.execute(db)
  return rows.length > 0
}
