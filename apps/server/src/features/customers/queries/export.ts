import type { Pool } from 'pg'
import { readCursor } from '../../../platform/read-cursor.ts'
import { customerMatches, searchTerm } from '../../billing/index.ts'
import { home } from './columns.ts'
import { type CustomerFilters, customerList } from './customers.ts'

export type ExportedCustomer = {
  id: string
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  country: string | null
  account_type: string
  status: string
  site_count: number
  total_revenue: number
  currency: string
  other_revenue: Record<string, number> | null
  owed: number
  other_owed: Record<string, number> | null
  created_at: string
  last_payment_at: string | null
}

function exportStatement(filters: CustomerFilters) {
  const list = customerList(filters, filters.search ? ['c', 't', 'cs'] : ['c', 't'])
  const { order, where, isDescending, values } = list
  const term = searchTerm(values, filters.search)
  const conditions = term ? [...where, customerMatches(term)] : where
  const direction = isDescending ? 'desc' : 'asc'
  const text = `select c.id, c.name, c.email, c.phone, c.company, c.country, c.account_type, c.status, c.site_count,
      coalesce(t.total_revenue, 0) as total_revenue, home.currency, t.other_revenue,
      coalesce(t.owed, 0) as owed, t.other_owed,
      iso_utc(c.created_at) as created_at, iso_utc(t.last_payment_at) as last_payment_at
    from ${order.from} cross join ${home}
    ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
    order by ${order.key} ${direction}, ${order.id} ${direction}`
  return { text, values: values.list }
}

export const readCustomers = (pool: Pool, filters: CustomerFilters): AsyncGenerator<ExportedCustomer[]> =>
  readCursor(pool, exportStatement(filters))
