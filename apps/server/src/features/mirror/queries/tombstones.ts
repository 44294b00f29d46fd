import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { mirrorTables } from '../tables.ts'

/** Marks an object as deleted for good, whether its row is here or comes late. */
export async function insertTombstone(db: Kysely<DB>, kind: ObjectKind, id: string, at: Date): Promise<void> {
  await db
    .insertInto('mirror_tombstones')
    .values({ object: kind, object_id: id, deleted_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.deleteFrom('unreadable_objects').where('object', '=', kind).where('object_id', '=', id).execute()
  await sql`update ${sql.table(mirrorTables[kind].name)} set deleted_at = ${at} where id = ${id} and deleted_at is null`.execute(
    db,
  )
}

/** Subscriptions that a deleted customer leaves behind still running here. */
export async function findRunningSubscriptions(db: Kysely<DB>, customerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'cancelled')
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

/** Customers that others name and the mirror has no row of, such as those deleted before it began. */
export async function findUnknownCustomers(db: Kysely<DB>, { after, limit }: { after: string; limit: number }) {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select customer_id as id from subscriptions union select customer_id from payments union select customer_id from invoices
    ) named
    where id > ${after} and not exists (select from customers c where c.id = named.id)
    order by id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** A row for a customer that is gone, with what its documents still say of it. */
export async function insertGoneCustomer(db: Kysely<DB>, id: string, fetch: { fetchSeq: number; fetchedAt: Date }) {
  await sql`
    with named as (
      select raw ->> 'customer_name' as name, raw ->> 'customer_email' as email from invoices
      where customer_id = ${id} and coalesce(raw ->> 'customer_name', raw ->> 'customer_email') is not null
      order by created_at desc, id desc limit 1
    ), since as (
      select min(created_at) as at from (
        select created_at from subscriptions where customer_id = ${id}
        union all select created_at from payments where customer_id = ${id}
        union all select created_at from invoices where customer_id = ${id}
      ) documents
    )
    insert into customers (id, name, email, created_at, raw, fetch_seq, fetched_at, source)
    select ${id}, named.name, named.email, since.at, jsonb_build_object('id', ${id}::text, 'object', 'customer', 'deleted', true),
      ${fetch.fetchSeq}, ${fetch.fetchedAt}, 'import'
    from since left join named on true where since.at is not null
    on conflict (id) do nothing`.execute(db)
}
