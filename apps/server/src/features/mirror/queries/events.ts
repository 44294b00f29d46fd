import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { toJson } from '../../../platform/json.ts'
import { type Moment, momentOf } from '../moments.ts'

type Db = Kysely<DB>
export type ObjectRef = { kind: ObjectKind; id: string }

export type NewEvent = {
  id: string
  type: string
  createdAt: Date
  apiVersion: string | null
  object: ObjectRef | null
  payload: unknown
  origin: 'webhook' | 'reconcile'
  receivedAt: Date
}

/** Nothing of what is told about a customer who was erased: which object it is stands beside it. */
function payloadOf({ payload }: NewEvent): RawBuilder<string> {
  const json = toJson(payload)
  const named = (path: string) => sql`${json}::jsonb #>> ${sql.lit(path)}`
  return sql<string>`case when exists (
      select from customer_states s where s.erased_at is not null
        and s.customer_id in (${named('{data,object,customer}')}, ${named('{data,object,id}')})
    ) then '{}'::jsonb else ${json}::jsonb end`
}

/** Also what the event adds to the history of its customer. Answers whether the event was new. */
export async function insertEvent(db: Db, event: NewEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('webhook_events')
    .values({
      id: event.id,
      type: event.type,
      created_at: event.createdAt,
      api_version: event.apiVersion,
      object_kind: event.object?.kind ?? null,
      object_id: event.object?.id ?? null,
      payload: payloadOf(event),
      origin: event.origin,
      received_at: event.receivedAt,
      state: event.object ? 'pending' : 'ignored',
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  const isNew = numInsertedOrUpdatedRows === 1n
  const moment = momentOf(event)
  if (isNew && moment) await insertMoment(db, event.id, moment)
  return isNew
}

/** Not of an event whose payload was left out. */
async function insertMoment(db: Db, event: string, moment: Moment): Promise<void> {
  await sql`
    insert into customer_moments (
      event_id, customer_id, kind, object_id, stories, at, amount, currency, from_price, to_price
    )
    select e.id, m.customer_id, m.kind, m.object_id, m.stories, e.created_at, round(m.amount), m.currency, m.from_price, m.to_price
    from webhook_events e, jsonb_to_record(${toJson(moment)}::jsonb) as m (
      customer_id text, kind text, object_id text, stories text[], amount numeric, currency text, from_price text, to_price text
    )
    where e.id = ${event} and e.payload <> '{}'
    on conflict do nothing`.execute(db)
}

export type UnusableEvent = Pick<NewEvent, 'id' | 'type' | 'object' | 'origin' | 'receivedAt'> & { error: string }

/** An event that cannot be stored is a dead letter without what it said. Answers whether it was new. */
export async function insertDeadEvent(db: Db, { object, ...event }: UnusableEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('webhook_events')
    .values({
      id: event.id,
      type: event.type,
      created_at: event.receivedAt,
      object_kind: object?.kind ?? null,
      object_id: object?.id ?? null,
      payload: '{}',
      origin: event.origin,
      received_at: event.receivedAt,
      state: 'dead',
      error: event.error,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** A delivery of what the console had found by itself before: it says that deliveries arrive. */
export async function markDelivered(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ origin: 'webhook', received_at: at })
    .where('id', '=', id)
    .where('origin', '=', 'reconcile')
    .execute()
}

export async function findKnownEvents(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('webhook_events').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map((row) => row.id))
}

export type PendingEvent = { id: string; type: string; created_at: Date }

export function findPendingEvents(db: Db, object: ObjectRef): Promise<PendingEvent[]> {
  return db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'created_at'])
    .where('object_kind', '=', object.kind)
    .where('object_id', '=', object.id)
    .where('state', '=', 'pending')
    .execute()
}

export async function markEventsApplied(db: Db, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('webhook_events')
    .set((eb) => ({ state: 'applied', applied_at: at, error: null, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', [...ids])
    .where('state', '=', 'pending')
    .execute()
}

export async function markEventsFailed(
  db: Db,
  ids: readonly string[],
  { error, isDead }: { error: string; isDead: boolean },
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('webhook_events')
    .set((eb) => ({ state: isDead ? 'dead' : 'pending', error, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', [...ids])
    .where('state', '=', 'pending')
    .execute()
}

/** Objects with events that wait longer than their job should have taken. */
export async function findStuckObjects(db: Db, before: Date, limit: number): Promise<ObjectRef[]> {
  const { rows } = await sql<ObjectRef>`
    select object_kind as kind, object_id as id from webhook_events
    where state = 'pending' and received_at < ${before} and object_kind is not null and object_id is not null
    group by 1, 2 order by min(received_at) limit ${limit}`.execute(db)
  return rows
}

export type DeadEventRow = {
  id: string
  type: string
  object_id: string | null
  created_at: Date
  received_at: Date
  attempts: number
  error: string | null
}

export function findDeadEvents(db: Db, limit: number): Promise<DeadEventRow[]> {
  return db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'object_id', 'created_at', 'received_at', 'attempts', 'error'])
    .where('state', '=', 'dead')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Lets a dead event wait again; one that names no object we could look at is put aside. Answers its object, or undefined
 * when there is no such dead event.
 */
export async function reviveEvent(db: Db, id: string): Promise<{ object: ObjectRef | null; type: string } | undefined> {
  const row = await db
    .updateTable('webhook_events')
    .set({ state: sql`case when object_id is null then 'ignored' else 'pending' end` })
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .returning(['object_kind', 'object_id', 'type'])
    .executeTakeFirst()
  if (!row) return undefined
  if (!row.object_kind || !row.object_id) return { object: null, type: row.type }
  return { object: { kind: row.object_kind as ObjectKind, id: row.object_id }, type: row.type }
}

/** Payloads hold what customers entered, so they are not kept longer than the provider keeps its events. */
export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('webhook_events')
    .where('received_at', '<', before)
    .where('state', 'in', ['applied', 'ignored'])
    .execute()
}
