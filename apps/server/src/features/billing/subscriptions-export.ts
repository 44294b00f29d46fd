import type { Subscription } from '@agency/contract/types'
import { defineExport } from '../../platform/export-kind.ts'
import { countSubscriptions, readSubscriptions } from './queries/subscriptions.ts'

const money = (amount: number | null, currency: string) => (amount === null ? null : { amount, currency })

/** All subscriptions that match, as the screen lists them. */
export const subscriptionsExport = defineExport<'subscriptions', Subscription>({
  kind: 'subscriptions',
  permission: 'billing.read',
  title: 'Subscriptions',
  fileName: 'subscriptions',
  columns: [
    { title: 'Customer', name: 'customer_name', type: 'text', width: 1.6, value: ({ customer_name }) => customer_name },
    { title: 'Email', name: 'customer_email', type: 'text', width: 1.9, value: ({ customer_email }) => customer_email },
    { title: 'Plan', name: 'plan_name', type: 'text', width: 1.4, value: ({ plan_name }) => plan_name },
    { title: 'Further items', name: 'more_items', type: 'integer', width: 0, value: ({ more_items }) => more_items },
    { title: 'Status', name: 'status', type: 'text', width: 0.9, value: ({ status }) => status },
    { title: 'Amount', name: 'amount', type: 'money', value: ({ amount, currency }) => money(amount, currency) },
    { title: 'MRR', name: 'mrr', type: 'money', value: ({ mrr, currency }) => money(mrr, currency) },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency.toUpperCase() },
    {
      title: 'Billed',
      name: 'billing_period',
      type: 'text',
      width: 0.8,
      value: ({ billing_period }) => billing_period,
    },
    {
      ...{ title: 'Period ends', name: 'current_period_end', type: 'instant', width: 1.2 },
      value: ({ current_period_end }) => current_period_end,
    },
    {
      ...{ title: 'Cancels at period end', name: 'cancel_at_period_end', type: 'yes_no', width: 0.8 },
      value: ({ cancel_at_period_end }) => cancel_at_period_end,
    },
    { title: 'Cancelled', name: 'cancelled_at', type: 'instant', width: 0, value: ({ cancelled_at }) => cancelled_at },
    {
      ...{ title: 'Revenue', name: 'total_revenue', type: 'money' },
      value: ({ total_revenue, currency }) => money(total_revenue, currency),
    },
    {
      ...{ title: 'Failed payments', name: 'failed_payments', type: 'integer', width: 0.7 },
      value: ({ failed_payments }) => failed_payments,
    },
    { title: 'Created', name: 'created_at', type: 'instant', width: 1.2, value: ({ created_at }) => created_at },
    { title: 'Customer ID', name: 'customer_id', type: 'text', width: 0, value: ({ customer_id }) => customer_id },
    { title: 'Subscription ID', name: 'id', type: 'text', width: 0, value: ({ id }) => id },
  ],
  rows: (ctx, filters) => readSubscriptions(ctx.pool, filters),
  total: (ctx, filters) => countSubscriptions(ctx.pool, filters),
})
