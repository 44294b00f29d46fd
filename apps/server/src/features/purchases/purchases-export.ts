import { defineExport } from '../../platform/export-kind.ts'
import { type PurchaseRecord, productionUrlOf, siteNameOf, statusOf } from './purchase.ts'
import { countPurchases, readPurchases } from './queries.ts'

/** All purchases, newest first. */
export const purchasesExport = defineExport<'purchases', Omit<PurchaseRecord, 'unread'>>({
  kind: 'purchases',
  permission: 'billing.read',
  title: 'Purchases',
  fileName: 'purchases',
  columns: [
    { title: 'Site', name: 'site_name', type: 'text', width: 1.8, value: siteNameOf },
    { title: 'Status', name: 'status', type: 'text', value: statusOf },
    { title: 'Customer', name: 'customer_name', type: 'text', width: 1.6, value: ({ customer_name }) => customer_name },
    { title: 'Email', name: 'customer_email', type: 'text', width: 1.9, value: ({ customer_email }) => customer_email },
    {
      ...{ title: 'Amount', name: 'amount', type: 'money' },
      value: ({ amount, currency }) => (amount === null ? null : { amount, currency }),
    },
    {
      ...{ title: 'Refunded', name: 'refunded_amount', type: 'money' },
      value: ({ refunded_amount, currency }) =>
        refunded_amount === null ? null : { amount: refunded_amount, currency },
    },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency.toUpperCase() },
    {
      ...{ title: 'Production URL', name: 'production_url', type: 'text', width: 2 },
      value: ({ metadata }) => productionUrlOf(metadata),
    },
    { title: 'Reset', name: 'is_reset', type: 'yes_no', width: 0.6, value: ({ is_reset }) => is_reset },
    { title: 'Time', name: 'created_at', type: 'instant', width: 1.3, value: ({ created_at }) => created_at },
    { title: 'Customer ID', name: 'customer_id', type: 'text', width: 0, value: ({ customer_id }) => customer_id },
    { title: 'Payment ID', name: 'payment_id', type: 'text', width: 0, value: ({ payment_id }) => payment_id },
    { title: 'Purchase ID', name: 'id', type: 'text', width: 0, value: ({ id }) => id },
  ],
  rows: (ctx) => readPurchases(ctx.pool),
  total: (ctx) => countPurchases(ctx.pool),
})
