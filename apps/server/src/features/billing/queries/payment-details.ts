import type { PaymentDetails } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import {
  disputeColumns,
  invoiceColumns,
  jsonList,
  moneyActionColumns,
  paymentColumns,
  paymentJoins,
  refundColumns,
} from './columns.ts'

const text = `select row_to_json(x)::text as payment from (
  select ${paymentColumns}, p.metadata, iso_utc(p.fetched_at) as fetched_at,
    ${jsonList(refundColumns, 'refunds r where r.payment_id = p.id and r.deleted_at is null order by r.created_at desc, r.id desc')} as refunds,
    ${jsonList(disputeColumns, 'disputes d where d.payment_id = p.id and d.deleted_at is null order by d.created_at desc, d.id desc')} as disputes,
    ${jsonList(
      invoiceColumns,
      `invoices i where i.deleted_at is null and i.id in (
        select invoice_id from invoice_payments where payment_id = p.id and deleted_at is null
      ) order by i.created_at desc, i.id desc limit 100`,
    )} as invoices,
    ${jsonList(moneyActionColumns, 'money_actions a where a.target_id = p.id order by a.created_at desc, a.id desc limit 100')} as actions,
    ${jsonList(
      'ch.id, ch.status, ch.amount, ch.failure_message, iso_utc(ch.created_at) as created_at',
      'charges ch where ch.payment_id = p.id and ch.deleted_at is null order by ch.created_at desc, ch.id desc limit 100',
    )} as charges
  from payments p ${paymentJoins}
  where p.id = $1 and p.deleted_at is null
) x`

export async function findPaymentDetails(pool: Pool, id: string): Promise<PaymentDetails | undefined> {
  const [row] = await runStatement<{ payment: string }>(pool, { text, values: [id] })
  return row && (JSON.parse(row.payment) as PaymentDetails)
}
