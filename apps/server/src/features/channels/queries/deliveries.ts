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

export type DeliveryRow = {
  id: string
  channel_id: string
  message: Message
  state: Delivery['state']
  attempts: number
  created_at: Date
}

export async function insertDelivery(
  { db }: Pick<TransactionContext, 'db'>,
  row: { id: string; channel_id: string; message: Message; created_at: Date },
): Promise<void> {
  const { id, channel_id, message, created_at } = row
  await sql`
    insert into channel_deliveries (id, channel_id, type, message, alert_id, state, created_at)
    values (${id}, ${channel_id}, ${message.type}, ${toJson(message)}::jsonb, ${message.alertId}, 'queued', ${created_at})
  `.execute(db)
}

export async function findDelivery({ db }: Db, id: string): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select id, channel_id, message, state, attempts, created_at from channel_deliveries where id = ${id}`.execute(db)
  return rows[0]
}

type Outcome = { state: Delivery['state']; error: string | null; sentAt: Date | null }

export async function saveOutcome({ db }: Db, id: string, { state, error, sentAt }: Outcome): Promise<void> {
  await sql`
    update channel_deliveries set state = ${state}, error = ${error}, sent_at = ${sentAt}, attempts = attempts + 1
    where id = ${id}`.execute(db)
}

const columns = `d.id, d.channel_id, c.name as channel_name, d.type, d.message ->> 'title' as title, d.alert_id, d.state,
  d.attempts, d.error, iso_utc(d.created_at) as created_at, iso_utc(d.sent_at) as sent_at`
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
  await sql`delete from channel_deliveries where created_at < ${before} and state <> 'queued'`.execute(db)
}

/** Of a process that ended between the transaction and the queue, or that the queue gave up. */
export async function findForgotten({ db }: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from channel_deliveries where state = 'queued' and created_at < ${before} limit 500`.execute(db)
  return rows.map(({ id }) => id)
}
