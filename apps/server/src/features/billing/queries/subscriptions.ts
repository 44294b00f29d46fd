import type { billing } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Subscription } from '@agency/contract/types'
import type { Pool } from 'pg'
import type { ParametersOf } from '../../../platform/export-kind.ts'
import { countAll, type List, type Order, readAll, readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'
import { subscriptionColumns, subscriptionJoins } from './columns.ts'
import { searchSubscriptions } from './search-subscriptions.ts'

export type SubscriptionsQuery = QueryOf<typeof billing.listSubscriptions>
type Filters = ParametersOf<'subscriptions'>

const order = (key: string): Order => ({ from: 'subscriptions s', key, id: 's.id', isWhole: true })

const orders: Record<'created_at' | 'amount' | 'current_period_end' | 'total_revenue', Order> = {
  created_at: order('s.created_at'),
  amount: order('coalesce(s.amount, -1)'),
  current_period_end: order(`coalesce(s.current_period_end, '-infinity')`),
  total_revenue: order('s.total_revenue'),
}

function conditions(query: Filters, values: Values): string[] {
  const where = ['s.deleted_at is null']
  if (query.status && query.status !== 'all') where.push(`s.status = ${literal(query.status)}`)
  if (query.plan !== undefined) where.push(`s.product_id = ${values.add(query.plan)}`)
  if (query.customer !== undefined) where.push(`s.customer_id = ${values.add(query.customer)}`)
  return where
}

/** The counters know subscriptions by product and status. */
function totalOf(query: Filters, values: Values): string | null {
  if (query.search || query.customer !== undefined) return null
  const where: string[] = []
  if (query.status && query.status !== 'all') where.push(`status = ${literal(query.status)}`)
  if (query.plan !== undefined) where.push(`product_id = ${values.add(query.plan)}`)
  const filter = where.length > 0 ? `where ${where.join(' and ')}` : ''
  return `(select coalesce(sum(subscriptions), 0)::bigint from subscription_totals ${filter})`
}

const common = new Set(['status', 'customer', 'search'])

function subscriptionList(query: Filters): List {
  const values = new Values()
  const sort = query.sort ?? '-created_at'
  return {
    table: 'subscriptions',
    alias: 's',
    order: orders[sort.replace('-', '') as keyof typeof orders],
    isDescending: sort.startsWith('-'),
    where: conditions(query, values),
    columns: subscriptionColumns,
    joins: subscriptionJoins,
    total: totalOf(query, values),
    asOf: 'mirror_as_of()',
    values,
    isPrepared: Object.entries(query).every(([name, value]) => value === undefined || common.has(name)),
  }
}

export function findSubscriptions(pool: Pool, query: SubscriptionsQuery): Promise<string> {
  const { limit, starting_after, ending_before, ...filters } = query
  const list = subscriptionList(filters)
  return readPage(
    pool,
    'subscriptions',
    list,
    { limit, starting_after, ending_before },
    searchSubscriptions(list, query.search),
  )
}

export function readSubscriptions(pool: Pool, filters: Filters): AsyncGenerator<Subscription[]> {
  const list = subscriptionList(filters)
  return readAll(pool, list, searchSubscriptions(list, filters.search))
}

export const countSubscriptions = (pool: Pool, filters: Filters): Promise<number | null> =>
  countAll(pool, subscriptionList(filters))
