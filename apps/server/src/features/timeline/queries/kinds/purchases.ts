import type { Source } from '../source.ts'

export const purchases: Source = {
  name: 'purchase',
  kind: 'purchase',
  permission: 'billing.read',
  from: 'checkout_sessions c',
  where: `c.customer_id = $1 and c.deleted_at is null and c.mode <> 'setup'`,
  at: 'c.created_at',
  id: 'c.id',
  columns: {
    event: `case when c.status = 'complete' and c.payment_status = 'unpaid' then 'unpaid' else c.status end`,
    object_id: 'c.id',
    status: 'c.status',
    amount: 'c.amount_total',
    currency: 'c.currency',
    detail: `coalesce(nullif(c.metadata ->> 'site_name', ''), nullif(c.metadata ->> 'siteName', ''),
      nullif(c.metadata ->> 'business_name', ''), nullif(c.metadata ->> 'businessName', ''))`,
  },
}
