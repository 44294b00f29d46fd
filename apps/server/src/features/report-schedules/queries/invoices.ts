import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

export type ReportedInvoice = {
  id: string
  number: string | null
  created_at: Date
  status: string
  amount_due: number
  amount_remaining: number
  currency: string
}

/** What a customer was billed, oldest first; drafts are not theirs to see yet. */
export async function findInvoices(
  { db }: Db,
  customerId: string,
  { from, to }: { from: Date; to: Date },
): Promise<ReportedInvoice[]> {
  const { rows } = await sql<ReportedInvoice>`
    select id, number, created_at, status, amount_due, amount_remaining, currency from invoices
    where customer_id = ${customerId} and deleted_at is null and status <> 'draft'
      and created_at >= ${from} and created_at < ${to}
    order by created_at, id`.execute(db)
  return rows
}
