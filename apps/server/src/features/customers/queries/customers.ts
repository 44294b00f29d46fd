import type { customers } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Pool } from 'pg'
import { type List, type Order, readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'
import { customerColumns, customerJoins } from './columns.ts'
import { searchCustomers } from './search-customers.ts'

export type CustomersQuery = QueryOf<typeof customers.listCustomers>
export type CustomerFilters = QueryOf<typeof customers.exportCustomers>

const withTotals = 'customers c join customer_totals t on t.customer_id = c.id'
const withSearch = 'customers c join customer_search cs on cs.customer_id = c.id'

const orders: Record<'created_at' | 'name' | 'total_revenue' | 'last_payment_date', Order> = {
  created_at: { from: 'customers c', key: 'c.created_at', id: 'c.id' },
  name: { from: withSearch, key: 'cs.sort_name', id: 'cs.customer_id' },
  total_revenue: { from: withTotals, key: 't.total_revenue', id: 't.customer_id' },
  last_payment_date: { from: withTotals, key: `coalesce(t.last_payment_at, '-infinity')`, id: 't.customer_id' },
}

const usesTotals = (query: CustomerFilters): boolean =>
  [query.revenue_min, query.revenue_max, query.last_payment_from, query.last_payment_to].some(
    (value) => value !== undefined,
  )

/** The tables that the order, the filters and the search need. */
function orderOf(query: CustomerFilters, sort: string): Order {
  const order = orders[sort.replace('-', '') as keyof typeof orders]
  const joins = [
    usesTotals(query) && !order.from.includes('customer_totals')
      ? 'join customer_totals t on t.customer_id = c.id'
      : '',
    query.search && !order.from.includes('customer_search') ? 'join customer_search cs on cs.customer_id = c.id' : '',
  ]
  // With the documents at hand their own order by date saves a visit to every customer.
  const key = query.search && order.key === 'c.created_at' ? { key: 'cs.created_at', id: 'cs.customer_id' } : {}
  return { ...order, ...key, from: [order.from, ...joins].join(' ') }
}

const dayStart = (value: string): string => `(${value}::date)::timestamp at time zone 'UTC'`

function dayRange(column: string, from: string | undefined, to: string | undefined, values: Values): string[] {
  const where: string[] = []
  if (from) where.push(`${column} >= ${dayStart(values.add(from))}`)
  if (to) where.push(`${column} < ${dayStart(values.add(to))} + interval '1 day'`)
  return where
}

function conditions(query: CustomerFilters, values: Values): string[] {
  const where: string[] = []
  if (query.status && query.status !== 'all') where.push(`c.status = ${literal(query.status)}`)
  if (query.account_type) where.push(`c.account_type = ${literal(query.account_type)}`)
  if (query.country) where.push(`c.country = ${values.add(query.country.toUpperCase())}`)
  if (query.plan !== undefined)
    where.push(`c.id in (
      select customer_id from subscriptions
      where product_id = ${values.add(query.plan)} and status in ('active', 'trialing', 'past_due') and deleted_at is null
    )`)
  if (query.revenue_min !== undefined) where.push(`t.total_revenue >= ${values.add(query.revenue_min)}`)
  if (query.revenue_max !== undefined) where.push(`t.total_revenue <= ${values.add(query.revenue_max)}`)
  where.push(...dayRange('c.created_at', query.created_from, query.created_to, values))
  // The same expression as in the index; who never paid is in no range.
  const paidFrom = query.last_payment_from ?? (query.last_payment_to === undefined ? undefined : '0001-01-01')
  where.push(...dayRange(`coalesce(t.last_payment_at, '-infinity')`, paidFrom, query.last_payment_to, values))
  return where
}

/** Only what the counters know is counted: all customers, or those of one status. */
function totalOf({ status, sort: _sort, ...filters }: CustomerFilters): string | null {
  if (Object.values(filters).some((value) => value !== undefined && value !== '')) return null
  const where = status && status !== 'all' ? `where status = ${literal(status)}` : ''
  return `(select coalesce(sum(customers), 0)::bigint from customer_counts ${where})`
}

export function customerList(filters: CustomerFilters, isPaged: boolean): List {
  const values = new Values()
  const sort = filters.sort ?? '-created_at'
  const { status: _status, ...others } = filters
  return {
    table: 'customers',
    alias: 'c',
    order: orderOf(filters, sort),
    isDescending: sort.startsWith('-'),
    where: conditions(filters, values),
    columns: customerColumns,
    joins: customerJoins,
    total: totalOf(filters),
    values,
    isPrepared: isPaged && Object.values(others).every((value) => value === undefined),
  }
}

export function findCustomers(pool: Pool, query: CustomersQuery): Promise<string> {
  const { limit, starting_after, ending_before, ...filters } = query
  const list = customerList(filters, true)
  return readPage(
    pool,
    'customers',
    list,
    { limit, starting_after, ending_before },
    searchCustomers(list, filters.search),
  )
}
