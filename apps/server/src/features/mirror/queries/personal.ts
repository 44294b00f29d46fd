import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ObjectKind, ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { toJson } from '../../../platform/json.ts'
import { mirrorTables } from '../tables.ts'

type Db = Kysely<DB>

/** Everything of a kind that belongs to a customer, deleted or not. */
export async function findOwned(
  db: Db,
  kind: ObjectKind,
  customerId: string,
): Promise<{ id: string; raw: Record<string, unknown> }[]> {
  const table = sql.table(mirrorTables[kind].name)
  const owned =
    kind === 'dispute'
      ? sql`payment_id in (select id from payments where customer_id = ${customerId})`
      : kind === 'customer'
        ? sql`id = ${customerId}`
        : sql`customer_id = ${customerId}`
  const { rows } = await sql<{ id: string; raw: Record<string, unknown> }>`
    select id, raw from ${table} where ${owned} order by id`.execute(db)
  return rows
}

/** The columns of a kind that say who somebody is, as they are without it. */
const personalColumns: Partial<Record<ObjectKind, readonly string[]>> = {
  customer: ['name', 'email', 'phone', 'company', 'country', 'account_type_hint'],
  payment: ['receipt_email'],
  checkout_session: ['customer_email'],
}
const withMetadata: readonly ObjectKind[] = ['customer', 'subscription', 'payment', 'checkout_session']

export async function replacePersonal(db: Db, kind: ObjectKind, object: ProviderObject): Promise<void> {
  const emptied = (personalColumns[kind] ?? []).map((column) => sql`, ${sql.ref(column)} = null`)
  const metadata = withMetadata.includes(kind) ? [sql`, metadata = ${toJson(object['metadata'] ?? {})}::jsonb`] : []
  const hint = kind === 'customer' ? [sql`, suspended_hint = false`] : []
  await sql`update ${sql.table(mirrorTables[kind].name)} set raw = ${toJson(object)}::jsonb
    ${sql.join([...emptied, ...metadata, ...hint], sql``)} where id = ${object.id}`.execute(db)
}

/** What the provider told about a customer and these objects of theirs; which they are stays. */
export async function emptyEvents(db: Db, customerId: string, ids: readonly string[]): Promise<void> {
  await sql`update webhook_events set payload = '{}'
    where object_id = any (${[...ids]}) or payload #>> '{data,object,customer}' = ${customerId}`.execute(db)
}
