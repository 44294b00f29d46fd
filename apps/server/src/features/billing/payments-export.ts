import { defineExport } from '../../platform/export-kind.ts'
import { countPayments, type ReadPayment, readPayments } from './queries/payments.ts'

const money = (amount: number | null, currency: string) => (amount === null ? null : { amount, currency })

/** All payments that match, as the screen lists them. */
export const paymentsExport = defineExport<'payments', ReadPayment>({
  kind: 'payments',
  permission: 'billing.read',
  title: 'Payments',
  fileName: 'payments',
  columns: [
    { title: 'Customer', name: 'customer_name', type: 'text', width: 1.6, value: ({ customer_name }) => customer_name },
    { title: 'Email', name: 'customer_email', type: 'text', width: 1.9, value: ({ customer_email }) => customer_email },
    { title: 'Amount', name: 'amount', type: 'money', value: ({ amount, currency }) => money(amount, currency) },
    {
      ...{ title: 'Refunded', name: 'refunded_amount', type: 'money' },
      value: ({ refunded_amount, currency }) => money(refunded_amount, currency),
    },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency.toUpperCase() },
    { title: 'Status', name: 'status', type: 'text', width: 0.9, value: ({ status }) => status },
    { title: 'Disputed', name: 'disputed', type: 'yes_no', width: 0.6, value: ({ disputed }) => disputed },
    {
      ...{ title: 'Method', name: 'payment_method_type', type: 'text', width: 0.7 },
      value: ({ payment_method_type }) => payment_method_type,
    },
    { title: 'Description', name: 'description', type: 'text', width: 2, value: ({ description }) => description },
    {
      ...{ title: 'Failure', name: 'failure_message', type: 'text', width: 1.6 },
      value: ({ failure_message }) => failure_message,
    },
    { title: 'Created', name: 'created_at', type: 'instant', width: 1.3, value: ({ created_at }) => created_at },
    { title: 'Customer ID', name: 'customer_id', type: 'text', width: 0, value: ({ customer_id }) => customer_id },
    { title: 'Payment ID', name: 'id', type: 'text', width: 0, value: ({ id }) => id },
  ],
  rows: (ctx, filters) => readPayments(ctx.pool, filters),
  total: (ctx, filters) => countPayments(ctx.pool, filters),
})
