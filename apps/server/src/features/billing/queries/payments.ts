import type { billing } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Payment } from '@agency/contract/types'
import type { Pool } from 'pg'
import type { ParametersOf } from '../../../platform/export-kind.ts'
import { countAll, type List, type Order, readAll, readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'
import { paymentColumns, paymentFacts, paymentJoins } from './columns.ts'
import { searchPayments } from './search-payments.ts'

export type PaymentsQuery = QueryOf<typeof billing.listPayments>
type Filters = ParametersOf<'payments'>

const orders: Record<'created_at' | 'amount', Order> = {
  created_at: { from: 'payments p', key: 'p.created_at', id: 'p.id', isWhole: true },
  amount: { from: 'payments p', key: 'p.amount', id: 'p.id', isWhole: true },
}

const dayStart = (value: string): string => `(${value}::date)::timestamp at time zone 'UTC'`

function conditions(query: Filters, values: Values): string[] {
  const where = ['p.deleted_at is null']
  if (query.status && query.status !== 'all') where.push(`p.status = ${literal(query.status)}`)
  if (query.customer !== undefined) where.push(`p.customer_id = ${values.add(query.customer)}`)
  if (query.subscription !== undefined)
    where.push(`p.id in (
      select ip.payment_id from invoices i join invoice_payments ip on ip.invoice_id = i.id
      where i.subscription_id = ${values.add(query.subscription)}
    )`)
  if (query.refundable)
    where.push(`p.status = 'succeeded' and p.net_amount > 0
      and p.net_amount > coalesce((select claims.amount from refund_claims claims where claims.payment_id = p.id), 0)`)
  if (query.disputed) where.push('p.disputed')
  if (query.created_from) where.push(`p.created_at >= ${dayStart(values.add(query.created_from))}`)
  if (query.created_to) where.push(`p.created_at < ${dayStart(values.add(query.created_to))} + interval '1 day'`)
  return where
}

/** Only what the counters know is counted: all payments, or those of one status. */
function totalOf(query: Filters): string | null {
  const { sort: _, status, ...filters } = query
  if (Object.values(filters).some((value) => value !== undefined && value !== '')) return null
  const where = status && status !== 'all' ? `where status = ${literal(status)}` : ''
  return `(select coalesce(sum(payments), 0)::bigint from payment_totals ${where})`
}

// A search is planned each time: without knowing the term the planner would walk a whole index of descriptions.
const common = new Set(['status', 'customer'])

function paymentList(query: Filters): List {
  const values = new Values()
  const sort = query.sort ?? '-created_at'
  return {
    table: 'payments',
    alias: 'p',
    order: orders[sort.replace('-', '') as keyof typeof orders],
    isDescending: sort.startsWith('-'),
    where: conditions(query, values),
    columns: paymentColumns,
    joins: paymentJoins,
    total: totalOf(query),
    asOf: 'mirror_as_of()',
    values,
    isPrepared: Object.entries(query).every(([name, value]) => value === undefined || common.has(name)),
  }
}

export function findPayments(pool: Pool, query: PaymentsQuery): Promise<string> {
  const { limit, starting_after, ending_before, ...filters } = query
  const list = paymentList(filters)
  return readPage(pool, 'payments', list, { limit, starting_after, ending_before }, searchPayments(list, query.search))
}

/** Without their cards, which are in no column of the file. */
export type ReadPayment = Omit<Payment, 'card'>

export function readPayments(pool: Pool, filters: Filters): AsyncGenerator<ReadPayment[]> {
  const list = { ...paymentList(filters), columns: paymentFacts }
  return readAll(pool, list, searchPayments(list, filters.search))
}

export const countPayments = (pool: Pool, filters: Filters): Promise<number | null> =>
  countAll(pool, paymentList(filters))
