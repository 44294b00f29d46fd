import type { Permission } from '@agency/contract/permissions'
import { sql } from 'kysely'
import type { AppContext, RequestContext, TransactionContext } from '../../context.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

export type KeysRow = { public_key: string; sealed: string }

export async function findKeys({ db }: Db): Promise<KeysRow | undefined> {
  const { rows } = await sql<KeysRow>`select public_key, sealed from push_keys`.execute(db)
  return rows[0]
}

export async function insertKeys({ db }: Db, row: KeysRow & { created_at: Date }): Promise<void> {
  await db
    .insertInto('push_keys')
    .values({ id: 'vapid', ...row })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type SubscriptionRow = {
  id: string
  browser: string
  endpoint_hash: Buffer
  sealed: string
  created_at: Date
  last_sent_at: Date | null
  last_error: string | null
}

const columns = sql`id, browser, endpoint_hash, sealed, created_at, last_sent_at, last_error`

type Owner = Pick<RequestContext, 'actor'>

export async function findOwn({ db, actor }: Db & Owner): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from push_subscriptions
    where actor_type = ${actor.type} and actor_id = ${actor.id} order by created_at, id`.execute(db)
  return rows
}

export async function findOne({ db, actor }: Db & Owner, id: string): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from push_subscriptions
    where id = ${id} and actor_type = ${actor.type} and actor_id = ${actor.id}`.execute(db)
  return rows[0]
}

/** A browser that somebody else used before is whoever's asks now. Answers its id. */
export async function upsertSubscription(
  { db, actor }: Tx & Owner,
  row: { id: string; browser: string; endpoint_hash: Buffer; sealed: string; created_at: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into push_subscriptions (id, actor_type, actor_id, browser, endpoint_hash, sealed, created_at)
    values (${row.id}, ${actor.type}, ${actor.id}, ${row.browser}, ${row.endpoint_hash}, ${row.sealed}, ${row.created_at})
    on conflict (endpoint_hash) do update set actor_type = excluded.actor_type, actor_id = excluded.actor_id,
      browser = excluded.browser, sealed = excluded.sealed, last_error = null
    returning id`.execute(db)
  return rows[0]?.id ?? row.id
}

export async function deleteSubscription({ db }: Db, id: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

export async function noteSent({ db }: Db, id: string, at: Date, error: string | null): Promise<void> {
  await sql`
    update push_subscriptions set last_error = ${error},
      last_sent_at = case when ${error}::text is null then ${at} else last_sent_at end
    where id = ${id}`.execute(db)
}

/** Browsers of those who may see what is sent, as of now. */
export async function findReceivers({ db }: Db, permission: Permission): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from push_subscriptions s
    where s.actor_type = 'admin_key' or exists (
      select from users u join roles r on r.id = u.role_id
      where u.id = s.actor_id and u.is_active and ${permission} = any(r.permissions)
    )
    order by created_at, id`.execute(db)
  return rows
}

export async function hasSubscriptions({ db }: Db): Promise<boolean> {
  const { rows } = await sql`select from push_subscriptions limit 1`.execute(db)
  return rows.length > 0
}
