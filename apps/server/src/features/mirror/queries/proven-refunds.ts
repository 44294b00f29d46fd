import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

/**
 * Shows in a payment what its refunds prove, when it does not show them: it could not be read again, or was read before the
 * last of them. What was asked for before is older than this. Answers whether it showed less.
 */
export async function showProvenRefunds(db: Kysely<DB>, paymentId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payments p set
      amount_refunded = proven.amount,
      status = case when p.status = 'succeeded' and proven.amount = p.amount_captured then 'refunded' else p.status end,
      fetch_seq = nextval('fetch_seq')
    from (
      select least(t.amount_captured, greatest(t.amount_refunded, coalesce(sum(r.amount), 0))) as amount
      from payments t left join refunds r
        on r.payment_id = t.id and r.deleted_at is null and r.status not in ('failed', 'canceled')
      where t.id = ${paymentId} group by t.id
    ) proven
    where p.id = ${paymentId} and p.deleted_at is null and p.amount_refunded < proven.amount`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
