import type { customers } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Pool } from 'pg'
import type { ParametersOf } from '../../../platform/export-kind.ts'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'
import { customerColumns, customerJoins } from './columns.ts'
import { searchCustomers } from './search-customers.ts'

export type CustomersQuery = QueryOf<typeof customers.listCustomers>
export type CustomerFilters = ParametersOf<'customers'>

/** The expression of its index: who never paid comes before the first payment of all. */
const lastPayment = `coalesce(t.last_payment_at, '-infinity')`

/** The tables that hold a customer's columns, by the alias that they have here. */
const tables = {
  c: { name: 'customers', id: 'c.id' },
  t: { name: 'customer_totals', id: 't.customer_id' },
  cs: { name: 'customer_search', id: 'cs.customer_id' },
} as const
type Alias = keyof typeof tables

const sortKeys: Record<
  'created_at' | 'name' | 'total_revenue' | 'last_payment_date' | 'owes',
  { alias: Alias; key: string }
> = {
  created_at: { alias: 'c', key: 'created_at' },
  name: { alias: 'cs', key: 'cs.sort_name' },
  total_revenue: { alias: 't', key: 't.total_revenue' },
  last_payment_date: { alias: 't', key: lastPayment },
  owes: { alias: 't', key: 't.owed' },
}

type Condition = { alias: Alias; text: string }

const dayStart = (value: string): string => `(${value}::date)::timestamp at time zone 'UTC'`

function dayRange(alias: Alias, column: string, from: string | undefined, to: string | undefined, values: Values) {
  const conditions: Condition[] = []
  if (from) conditions.push({ alias, text: `${column} >= ${dayStart(values.add(from))}` })
  if (to) conditions.push({ alias, text: `${column} < ${dayStart(values.add(to))} + interval '1 day'` })
  return conditions
}

/** `dates`: which table is asked for the date of creation. */
function conditions(query: CustomerFilters, dates: Alias, values: Values): Condition[] {
  const where: Condition[] = []
  const add = (alias: Alias, text: string) => where.push({ alias, text })
  if (query.status && query.status !== 'all') add('c', `c.status = ${literal(query.status)}`)
  if (query.account_type) add('c', `c.account_type = ${literal(query.account_type)}`)
  if (query.country) add('c', `c.country = ${values.add(query.country.toUpperCase())}`)
  if (query.plan !== undefined)
    add(
      'c',
      `c.id in (
      select customer_id from subscriptions
      where product_id = ${values.add(query.plan)} and status in ('active', 'trialing', 'past_due') and deleted_at is null
    )`,
    )
  if (query.owes) add('t', '(t.owed > 0 or t.other_owed is not null)')
  if (query.revenue_min !== undefined) add('t', `t.total_revenue >= ${values.add(query.revenue_min)}`)
  if (query.revenue_max !== undefined) add('t', `t.total_revenue <= ${values.add(query.revenue_max)}`)
  // Who never paid is in no range.
  const paidFrom = query.last_payment_from ?? (query.last_payment_to === undefined ? undefined : '0001-01-01')
  return [
    ...where,
    ...dayRange(dates, `${dates}.created_at`, query.created_from, query.created_to, values),
    ...dayRange('t', lastPayment, paidFrom, query.last_payment_to, values),
  ]
}

/** What was deleted here is seen only by whoever asks for it. */
function visible({ status }: CustomerFilters, first: Alias): Condition[] {
  if (status && status !== 'all') return []
  return first === 'cs' ? [{ alias: 'cs', text: 'not cs.hidden' }] : [{ alias: 'c', text: 'c.hidden_at is null' }]
}

/** Only the tables that the order, the filters and the search need: each costs a visit per row that is looked at. */
function fromOf(first: Alias, others: Set<Alias>): string {
  const joins = [...others]
    .filter((alias) => alias !== first)
    .map((alias) => `join ${tables[alias].name} ${alias} on ${tables[alias].id} = ${tables[first].id}`)
  return [`${tables[first].name} ${first}`, ...joins].join(' ')
}

/** Only what the counters know is counted: all customers, or those of one status. */
function totalOf({ status, sort: _sort, ...filters }: CustomerFilters): string | null {
  if (Object.values(filters).some((value) => value !== undefined && value !== '')) return null
  const where = status && status !== 'all' ? `where status = ${literal(status)}` : `where status <> 'deleted'`
  return `(select coalesce(sum(customers), 0)::bigint from customer_counts ${where})`
}

export function customerList(filters: CustomerFilters, alsoNeeded: Alias[] = []): List {
  const values = new Values()
  const sort = filters.sort ?? '-created_at'
  const isSearch = Boolean(filters.search)
  // The documents have the date too: a search that needs nothing else of the customers stays in their table.
  const needsCustomers = [filters.status, filters.account_type, filters.country, filters.plan].some(
    (value) => value && value !== 'all',
  )
  const dates = isSearch && !needsCustomers ? 'cs' : 'c'
  const chosen = sortKeys[sort.replace('-', '') as keyof typeof sortKeys]
  const { alias, key } = chosen.key === 'created_at' ? ({ alias: dates, key: `${dates}.created_at` } as const) : chosen
  const where = [...conditions(filters, dates, values), ...visible(filters, alias)]
  const { status: _status, search: _search, ...others } = filters
  const needed = new Set([alias, ...where.map((condition) => condition.alias), ...alsoNeeded])
  // A payment may come before its customer: totals alone do not prove that there is one.
  if (alias === 't' && !isSearch) needed.add('c')
  return {
    table: 'customers',
    alias: 'c',
    order: { from: fromOf(alias, needed), key, id: tables[alias].id, isWhole: needed.has('c') },
    isDescending: sort.startsWith('-'),
    where: where.map((condition) => condition.text),
    columns: customerColumns,
    joins: customerJoins,
    total: totalOf(filters),
    asOf: 'mirror_as_of()',
    values,
    isPrepared: Object.values(others).every((value) => value === undefined),
  }
}

export function findCustomers(pool: Pool, query: CustomersQuery): Promise<string> {
  const { limit, starting_after, ending_before, ...filters } = query
  const list = customerList(filters)
  return readPage(
    pool,
    'customers',
    list,
    { limit, starting_after, ending_before },
    searchCustomers(list, filters.search),
  )
}
