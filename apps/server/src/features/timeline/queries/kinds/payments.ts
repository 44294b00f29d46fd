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
    detail: 'coalesce(p.failure_message, p.description)',
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
