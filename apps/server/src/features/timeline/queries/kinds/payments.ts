import { deedOf } from '../../../audit/index.ts'
import { paymentPurpose } from '../../../billing/index.ts'
import type { Source } from '../source.ts'

export const payments: Source = {
  name: 'payment',
  kind: 'payment',
  permission: 'billing.read',
  from: 'payments p',
  where: 'p.customer_id = $1 and p.deleted_at is null',
  at: 'p.created_at',
  id: 'p.id',
  columns: {
    object_id: 'p.id',
    status: 'p.status',
    amount: 'p.amount',
    currency: 'p.currency',
    detail: `coalesce(p.failure_message, ${paymentPurpose}, p.description)`,
  },
}

export const refunds: Source = {
  name: 'refund',
  kind: 'refund',
  permission: 'billing.read',
  from: 'refunds r',
  where: 'r.customer_id = $1 and r.deleted_at is null',
  at: 'r.created_at',
  id: 'r.id',
  columns: {
    object_id: 'r.payment_id',
    status: 'r.status',
    amount: 'r.amount',
    currency: 'r.currency',
    detail: 'coalesce(r.failure_reason, r.reason)',
    actor: `(select b.actor_name from audit_entries b where ${deedOf('b')} = 'action:' || r.action_id order by b.at, b.id limit 1)`,
    deed: `'action:' || r.action_id`,
    words: 'r.id',
  },
}

export const disputes: Source = {
  name: 'dispute',
  kind: 'dispute',
  permission: 'billing.read',
  from: 'disputes d',
  where: 'd.customer_id = $1 and d.deleted_at is null',
  at: 'd.created_at',
  id: 'd.id',
  columns: {
    object_id: 'd.payment_id',
    status: 'd.status',
    amount: 'd.amount',
    currency: 'd.currency',
    detail: 'd.reason',
  },
}
