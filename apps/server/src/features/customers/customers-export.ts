import { defineExport } from '../../platform/export-kind.ts'
import { countAll } from '../../platform/keyset.ts'
import { decimalText } from '../../platform/money-text.ts'
import { customerList } from './queries/customers.ts'
import { type ExportedCustomer, readCustomers } from './queries/export.ts'

function otherMoney(amounts: Record<string, number> | null): string | null {
  if (amounts === null) return null
  return Object.entries(amounts)
    .map(([currency, amount]) => `${currency.toUpperCase()} ${decimalText(amount, currency)}`)
    .join('; ')
}

/** All customers that match, as the screen lists them. */
export const customersExport = defineExport<'customers', ExportedCustomer>({
  kind: 'customers',
  permission: 'customers.read',
  title: 'Customers',
  fileName: 'customers',
  columns: [
    { title: 'Customer', name: 'name', type: 'text', width: 1.6, value: ({ name }) => name },
    { title: 'Email', name: 'email', type: 'text', width: 2, value: ({ email }) => email },
    { title: 'Phone', name: 'phone', type: 'text', width: 0, value: ({ phone }) => phone },
    { title: 'Company', name: 'company', type: 'text', width: 1.4, value: ({ company }) => company },
    { title: 'Country', name: 'country', type: 'text', width: 0.6, value: ({ country }) => country },
    { title: 'Account Type', name: 'account_type', type: 'text', value: ({ account_type }) => account_type },
    { title: 'Status', name: 'status', type: 'text', width: 0.8, value: ({ status }) => status },
    { title: 'Sites', name: 'site_count', type: 'integer', width: 0.5, value: ({ site_count }) => site_count },
    {
      ...{ title: 'Revenue', name: 'total_revenue', type: 'money' },
      value: ({ total_revenue, currency }) => ({ amount: total_revenue, currency }),
    },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency.toUpperCase() },
    {
      ...{ title: 'Revenue in other currencies', name: 'other_revenue', type: 'text', width: 1.2 },
      value: ({ other_revenue }) => otherMoney(other_revenue),
    },
    {
      ...{ title: 'Owes', name: 'owed', type: 'money', width: 0 },
      value: ({ owed, currency }) => ({ amount: owed, currency }),
    },
    {
      ...{ title: 'Owes in other currencies', name: 'other_owed', type: 'text', width: 0 },
      value: ({ other_owed }) => otherMoney(other_owed),
    },
    { title: 'Created', name: 'created_at', type: 'instant', width: 1.2, value: ({ created_at }) => created_at },
    {
      ...{ title: 'Last Payment', name: 'last_payment_at', type: 'instant', width: 1.2 },
      value: ({ last_payment_at }) => last_payment_at,
    },
    { title: 'Stripe ID', name: 'id', type: 'text', width: 0, value: ({ id }) => id },
  ],
  rows: (ctx, filters) => readCustomers(ctx.pool, filters),
  total: (ctx, filters) => countAll(ctx.pool, customerList(filters)),
})
