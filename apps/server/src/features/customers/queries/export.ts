import type { Pool } from 'pg'
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
  created_at: string
  last_payment_at: string | null
}

const batchRows = 200

function cursorText(filters: CustomerFilters) {
  const list = customerList(filters, filters.search ? ['c', 't', 'cs'] : ['c', 't'])
  const { order, where, isDescending, values } = list
  const term = searchTerm(values, filters.search)
  const conditions = term ? [...where, customerMatches(term)] : where
  const direction = isDescending ? 'desc' : 'asc'
  const text = `declare exported no scroll cursor for
    select c.id, c.name, c.email, c.phone, c.company, c.country, c.account_type, c.status, c.site_count,
      coalesce(t.total_revenue, 0) as total_revenue, home.currency, t.other_revenue,
      iso_utc(c.created_at) as created_at, iso_utc(t.last_payment_at) as last_payment_at
    from ${order.from} cross join ${home}
    ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
    order by ${order.key} ${direction}, ${order.id} ${direction}`
  return { text, values: values.list }
}

/** All rows as they were at one instant, in small batches; the connection is held until the last one or until it is left. */
export async function* readCustomers(pool: Pool, filters: CustomerFilters): AsyncGenerator<ExportedCustomer[]> {
  const client = await pool.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    await client.query(cursorText(filters))
    for (;;) {
      const { rows } = await client.query<ExportedCustomer>(`fetch ${batchRows} from exported`)
      if (rows.length === 0) break
      yield rows
    }
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}
