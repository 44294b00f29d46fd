import { defineExport } from '../../platform/export-kind.ts'
import { countFailedInvoices, type FailedRow, readFailedInvoices } from './queries.ts'

/** All open invoices whose payment failed and that match, as the screen lists them. */
export const dunningExport = defineExport<'dunning', FailedRow>({
  kind: 'dunning',
  permission: 'billing.read',
  title: 'Dunning',
  fileName: 'dunning',
  columns: [
    { title: 'Customer', name: 'customer_name', type: 'text', width: 1.6, value: ({ customer_name }) => customer_name },
    { title: 'Email', name: 'customer_email', type: 'text', width: 1.9, value: ({ customer_email }) => customer_email },
    { title: 'Invoice', name: 'number', type: 'text', width: 1.2, value: ({ number, id }) => number ?? id },
    { title: 'Plan', name: 'plan_name', type: 'text', width: 1.2, value: ({ plan_name }) => plan_name },
    {
      ...{ title: 'At stake', name: 'amount_remaining', type: 'money' },
      value: ({ amount_remaining: amount, currency }) => ({ amount, currency }),
    },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency.toUpperCase() },
    {
      ...{ title: 'Failure', name: 'failure_message', type: 'text', width: 2 },
      value: ({ failure_message, failure_code }) => failure_message ?? failure_code,
    },
    { title: 'Failed', name: 'failed_at', type: 'instant', width: 1.3, value: ({ failed_at }) => failed_at },
    { title: 'Tries', name: 'attempt_count', type: 'integer', width: 0.6, value: ({ attempt_count }) => attempt_count },
    {
      ...{ title: 'Next retry', name: 'next_attempt_at', type: 'instant', width: 1.3 },
      value: ({ next_attempt_at }) => next_attempt_at,
    },
    { title: 'Created', name: 'created_at', type: 'instant', width: 1.3, value: ({ created_at }) => created_at },
    { title: 'Customer ID', name: 'customer_id', type: 'text', width: 0, value: ({ customer_id }) => customer_id },
    {
      ...{ title: 'Subscription ID', name: 'subscription_id', type: 'text', width: 0 },
      value: ({ subscription_id }) => subscription_id,
    },
    { title: 'Invoice ID', name: 'id', type: 'text', width: 0, value: ({ id }) => id },
  ],
  rows: (ctx, filters) => readFailedInvoices(ctx.pool, filters),
  total: (ctx, filters) => countFailedInvoices(ctx.pool, filters),
})
