import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

const webhook = z.object({
  endpointId: z.string(),
  url: z.string(),
  /** Sealed; the newest first. The older ones are good until their endpoint has sent what it still had. */
  secrets: z.array(z.object({ sealed: z.string(), goodUntil: z.iso.datetime().nullable() })),
  events: z.array(z.string()),
})
export type WebhookSetting = z.output<typeof webhook>

const progress = z.object({
  /** The provider's time of the newest event seen. */
  newestEventAt: z.iso.datetime().nullable(),
  /** Our time of the last complete look at its events. */
  lookedAt: z.iso.datetime().nullable(),
})
export type EventProgress = z.output<typeof progress>

const schemas = { 'mirror.webhook': webhook, 'mirror.events': progress } as const
type Key = keyof typeof schemas
type Value<K extends Key> = z.output<(typeof schemas)[K]>

async function findSetting<K extends Key>(db: Db, key: K): Promise<Value<K> | null> {
  const row = await db.selectFrom('instance_settings').select('value').where('key', '=', key).executeTakeFirst()
  const parsed = schemas[key].safeParse(row?.value)
  return parsed.success ? (parsed.data as Value<K>) : null
}

async function upsertSetting<K extends Key>(db: Db, key: K, value: Value<K>, at: Date): Promise<void> {
  await db
    .insertInto('instance_settings')
    .values({ key, value: JSON.stringify(value), updated_at: at })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute()
}

export const findWebhookSetting = (db: Db) => findSetting(db, 'mirror.webhook')
export const upsertWebhookSetting = (db: Db, value: WebhookSetting, at: Date) =>
  upsertSetting(db, 'mirror.webhook', value, at)
export const findEventProgress = (db: Db) => findSetting(db, 'mirror.events')
export const upsertEventProgress = (db: Db, value: EventProgress, at: Date) =>
  upsertSetting(db, 'mirror.events', value, at)

/** What is known of an account's events and of the endpoint that it delivers them to. */
export async function deleteEventSettings(db: Db): Promise<void> {
  await db.deleteFrom('instance_settings').where('key', 'in', ['mirror.events', 'mirror.webhook']).execute()
}
