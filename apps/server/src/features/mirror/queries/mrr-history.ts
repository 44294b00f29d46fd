import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import type { PaidMrr } from '../../../integrations/stripe/paid-mrr.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Kysely<DB>

export type Told = { event: string; mrr: string }

/** Payloads of events about subscriptions; an erased one is empty and says nothing. */
export async function findPayloads(db: Db, events: readonly string[]): Promise<{ id: string; payload: unknown }[]> {
  if (events.length === 0) return []
  return db
    .selectFrom('webhook_events')
    .select(['id', 'payload'])
    .where('id', 'in', [...events])
    .where('object_kind', '=', 'subscription')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** What events told of one subscription, at the time of each. */
export async function insertTold(db: Db, subscription: string, told: readonly Told[]): Promise<void> {
  await sql`
    insert into mrr_changes (subscription_id, customer_id, currency, product_id, at, mrr, basis, source, event_id)
    select ${subscription}, e.payload #>> '{data,object,customer}', e.payload #>> '{data,object,currency}',
      e.payload #>> '{data,object,items,data,0,price,product}', e.created_at, t.mrr, 'exact', 'event', e.id
    from json_to_recordset(${toJson(told)}::json) as t (event text, mrr numeric)
    join webhook_events e on e.id = t.event
    where e.payload #>> '{data,object,customer}' is not null and e.payload #>> '{data,object,currency}' is not null
    order by e.created_at, e.id
    on conflict do nothing`.execute(db)
}

/** Brings the history of subscriptions up to their rows. The mirror must be locked. */
export async function noteMrr(db: Db, ids: readonly string[], moment: Date): Promise<void> {
  await sql`select note_mrr(${[...ids]}::text[], array_fill(${moment}::timestamptz, array[${ids.length}::int]))`.execute(
    db,
  )
}

/** For what follows in this transaction: when time itself changes an MRR, and not a fetch. */
export async function setMrrMoment(db: Db, moment: Date | null): Promise<void> {
  await sql`select set_config('console.mrr_moment', ${moment?.toISOString() ?? ''}, true)`.execute(db)
}

export type Reconstructible = {
  id: string
  invoices: ProviderObject[]
  mrr_running: string
}

/** Subscriptions that ran before anything exact is known of them, with what was paid for them, oldest first. */
export async function findReconstructible(db: Db, after: string, limit: number): Promise<Reconstructible[]> {
  const { rows } = await sql<Reconstructible>`
    select s.id, s.mrr_running::text as mrr_running, coalesce((
      select json_agg(json_build_object(
          'lines', i.raw -> 'lines', 'currency', i.currency, 'created', i.raw -> 'created'
        ) order by i.created_at, i.id)
      from invoices i where i.subscription_id = s.id and i.status = 'paid' and i.deleted_at is null
    ), '[]') as invoices
    from subscriptions s
    where s.id > ${after} and s.running_from < mrr_exact_from()
    order by s.id limit ${limit}`.execute(db)
  return rows
}

/** In the place of what was reconstructed before; up to what is exact. */
export async function replaceReconstructed(
  db: Db,
  changes: readonly (PaidMrr & { subscription: string })[],
  moment: Date,
): Promise<void> {
  const ids = [...new Set(changes.map(({ subscription }) => subscription))]
  if (ids.length === 0) return
  await sql`delete from mrr_changes where subscription_id = any (${ids}) and basis = 'reconstructed'`.execute(db)
  await sql`
    insert into mrr_changes (subscription_id, customer_id, currency, product_id, at, mrr, basis, source)
    select s.id, s.customer_id, s.currency, s.product_id, to_timestamp(c.at), c.mrr, 'reconstructed', 'invoice'
    from json_to_recordset(${toJson(changes)}::json) as c (subscription text, at bigint, mrr numeric)
    join subscriptions s on s.id = c.subscription
    where to_timestamp(c.at) < least(mrr_exact_from(), (
      select min(k.at) from mrr_changes k where k.subscription_id = s.id and k.basis = 'exact'
    ))
    order by c.subscription, c.at`.execute(db)
  await noteMrr(db, ids, moment)
}
