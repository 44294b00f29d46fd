import type { channels } from '@agency/contract'
import type { Delivery } from '@agency/contract/channels'
import type { QueryOf } from '@agency/contract/endpoint'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'
import type { Message } from '../message.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

/** By address: what became of it there. Those that were not reached yet are left out. */
export type Recipients = Record<string, { state: 'sent' | 'refused'; error?: string }>

export type DeliveryRow = {
  id: string
  channel_id: string
  message: Message
  message_key: string | null
  state: Delivery['state']
  attempts: number
  recipients: Recipients
  created_at: Date
}

export type NewDelivery = Pick<DeliveryRow, 'id' | 'channel_id' | 'message' | 'created_at'> & {
  message_key?: string
  held_until?: Date | null
}

/** Answers false when the channel was told already. */
export async function insertDelivery({ db }: Tx, row: NewDelivery): Promise<boolean> {
  const { id, channel_id, message, message_key = null, held_until = null, created_at } = row
  const { rows } = await sql`
    insert into channel_deliveries
      (id, channel_id, type, message, message_key, alert_id, state, held_until, created_at)
    values (${id}, ${channel_id}, ${message.type}, ${toJson(message)}::jsonb, ${message_key}, ${message.alertId},
      ${held_until === null ? 'queued' : 'held'}, ${held_until}, ${created_at})
    on conflict (channel_id, message_key) where message_key is not null do nothing
    returning 1`.execute(db)
  return rows.length > 0
}

export async function findDelivery({ db }: Db, id: string): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select id, channel_id, message, message_key, state, attempts, recipients, created_at
    from channel_deliveries where id = ${id}`.execute(db)
  return rows[0]
}

type Outcome = { state: Delivery['state']; error: string | null; sentAt: Date | null }

export async function saveOutcome({ db }: Db, id: string, { state, error, sentAt }: Outcome): Promise<void> {
  await sql`
    update channel_deliveries set state = ${state}, error = ${error}, sent_at = ${sentAt}, attempts = attempts + 1
    where id = ${id}`.execute(db)
}

export async function saveRecipients({ db }: Db, id: string, recipients: Recipients): Promise<void> {
  await sql`update channel_deliveries set recipients = ${toJson(recipients)}::jsonb where id = ${id}`.execute(db)
}

const columns = `d.id, d.channel_id, c.name as channel_name, d.type, d.message ->> 'title' as title, d.alert_id, d.state,
  d.attempts, d.error, iso_utc(d.held_until) as held_until, iso_utc(d.created_at) as created_at, iso_utc(d.sent_at) as sent_at`
const joins = 'join notification_channels c on c.id = d.channel_id'

export async function readDelivery({ db }: Db, id: string): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    select ${sql.raw(columns)} from channel_deliveries d ${sql.raw(joins)} where d.id = ${id}`.execute(db)
  return rows[0]
}

export function findDeliveries(pool: Pool, query: QueryOf<typeof channels.listDeliveries>): Promise<string> {
  const values = new Values()
  const where: string[] = []
  if (query.channel !== undefined) where.push(`d.channel_id = ${values.add(query.channel)}`)
  if (query.state !== 'all') where.push(`d.state = ${literal(query.state)}`)
  const list: List = {
    table: 'channel_deliveries',
    alias: 'd',
    order: { from: 'channel_deliveries d', key: 'd.created_at', id: 'd.id', isWhole: true },
    isDescending: true,
    where,
    columns,
    joins,
    total: `(select count(*) from channel_deliveries d ${where.length > 0 ? `where ${where.join(' and ')}` : ''})`,
    values,
    isPrepared: false,
  }
  return readPage(pool, 'deliveries', list, query)
}

export async function deleteDeliveriesBefore({ db }: Db, before: Date): Promise<void> {
  await sql`
    delete from channel_deliveries where created_at < ${before} and state not in ('queued', 'held')`.execute(db)
}

/** Their titles name whom they are about. */
export async function deleteLinked({ db }: Tx, links: readonly string[]): Promise<void> {
  await sql`delete from channel_deliveries where message ->> 'link' = any(${[...links]}::text[])`.execute(db)
}

/** Of a process that ended between the transaction and the queue, or that the queue gave up. */
export async function findForgotten({ db }: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from channel_deliveries where state = 'queued' and created_at < ${before} limit 500`.execute(db)
  return rows.map(({ id }) => id)
}

export type HeldRow = Pick<DeliveryRow, 'id' | 'channel_id' | 'message' | 'created_at'>

/** What quiet hours held that are over; nobody else takes them meanwhile. */
export async function lockDue({ db }: Tx, now: Date): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select id, channel_id, message, created_at from channel_deliveries
    where state = 'held' and held_until <= ${now}
    order by created_at, id limit 2000 for update skip locked`.execute(db)
  return rows
}

export async function releaseHeld({ db }: Tx, ids: readonly string[], digestId: string | null): Promise<void> {
  await sql`
    update channel_deliveries set state = ${digestId === null ? 'queued' : 'digested'}, digest_id = ${digestId}
    where id = any(${[...ids]}::text[])`.execute(db)
}

export async function findDigested({ db }: Db, digestId: string, limit: number): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select id, channel_id, message, created_at from channel_deliveries
    where digest_id = ${digestId} order by created_at, id limit ${limit}`.execute(db)
  return rows
}
