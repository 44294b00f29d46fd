import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

export type UnclaimedRefund = {
  id: string
  action_id: string
  payment_id: string
  amount: number
  currency: string
  status: string
  created_at: Date
}

/** Refunds that say which action of this console made them, and that action is not known here. */
export async function findUnclaimedRefunds(db: Kysely<DB>): Promise<UnclaimedRefund[]> {
  const { rows } = await sql<UnclaimedRefund>`
    select r.id, r.action_id, r.payment_id, r.amount, r.currency, r.status, r.created_at
    from refunds r left join money_actions a on a.id = r.action_id
    where r.action_id is not null and r.payment_id is not null and r.deleted_at is null and a.id is null
    order by r.created_at, r.id`.execute(db)
  return rows
}
