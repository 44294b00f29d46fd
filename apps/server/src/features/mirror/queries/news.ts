import type { Kysely } from 'kysely'
import type { DB } from '../../../db/types.ts'

export async function findCustomerName(db: Kysely<DB>, id: string | null): Promise<string | null> {
  if (id === null) return null
  const row = await db.selectFrom('customers').select(['name', 'email']).where('id', '=', id).executeTakeFirst()
  return row?.name ?? row?.email ?? null
}

export async function findCustomerOfPayment(db: Kysely<DB>, paymentId: string | null): Promise<string | null> {
  if (paymentId === null) return null
  const row = await db.selectFrom('payments').select('customer_id').where('id', '=', paymentId).executeTakeFirst()
  return row?.customer_id ?? null
}
