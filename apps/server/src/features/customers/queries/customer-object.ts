import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

/** The customer as the provider sent it last. */
export async function findCustomerObject(
  db: Kysely<DB>,
  id: string,
): Promise<{ raw: Record<string, unknown>; deleted_at: Date | null } | undefined> {
  const found = await db.selectFrom('customers').select(['raw', 'deleted_at']).where('id', '=', id).executeTakeFirst()
  return found && { raw: found.raw as Record<string, unknown>, deleted_at: found.deleted_at }
}

export type SameEmail = { id: string; name: string | null; email: string | null; created_at: string }

export async function findByEmail(
  db: Kysely<DB>,
  email: string,
  except: string | undefined,
  limit: number,
): Promise<SameEmail[]> {
  const others = except === undefined ? sql`` : sql`and id <> ${except}`
  const { rows } = await sql<SameEmail>`
    select id, name, email, iso_utc(created_at) as created_at from customers
    where lower(email) = lower(${email}) and deleted_at is null ${others}
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
