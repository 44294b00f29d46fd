import type { Pool } from 'pg'
import type { List } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'
import { escapePattern, jsonList, searchPayments, searchSubscriptions } from '../../billing/index.ts'
import { searchCustomers } from '../../customers/index.ts'
import { isPurchase } from '../../purchases/index.ts'
import { named } from './named.ts'
import {
  type CustomerRow,
  type InvoiceRow,
  type Kind,
  type PaymentRow,
  type PurchaseRow,
  type Row,
  type SubscriptionRow,
  shown,
  type UserRow,
} from './rows.ts'
import { searchPurchases } from './search-purchases.ts'

type Found = {
  named: Row | null
  customers: CustomerRow[]
  subscriptions: SubscriptionRow[]
  payments: PaymentRow[]
  invoices: InvoiceRow[]
  purchases: PurchaseRow[]
  users: UserRow[]
}

const most = 5

/** Of which kind the object with such an id is, or with one that begins so. */
function kindOfId(term: string): Kind | undefined {
  if (term.startsWith('cus_')) return 'customer'
  if (term.startsWith('sub_')) return 'subscription'
  if (term.startsWith('in_')) return 'invoice'
  if (term.startsWith('cs_')) return 'purchase'
  return /^(pi|py)_/.test(term) ? 'payment' : undefined
}

type Search = typeof searchCustomers
type Newest = { table: string; alias: string; order: Omit<List['order'], 'isWhole'>; where?: string; search: Search }

/** The newest matches as `id` and `sort_key`, found in the way of the kind's own list, whose indexes serve it. */
function newest(values: Values, term: string, { table, alias, order, where = '', search }: Newest): string {
  const list: List = {
    ...{ table, alias, values, order: { ...order, isWhole: false }, isDescending: true, where: where ? [where] : [] },
    ...{ columns: '', joins: '', total: null, isPrepared: false },
  }
  const rows = search(list, term)?.(list, {
    where: where ? `where ${where}` : '',
    orderBy: `${order.key} desc, ${order.id} desc`,
    direction: 'desc',
    take: most,
  })
  if (!rows) throw new Error('a term that is empty finds nothing')
  return `(${rows.text})`
}

/** As `sort_name` holds names: without case and accents. */
const sortNameOf = (term: string): string =>
  term
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** Those whose names begin with the term, then the newest of the others: of many the one that was meant is among the first. */
function customers(values: Values, term: string): string {
  // Every document holds the beginning of an id: no index of words tells them apart.
  if (kindOfId(term) === 'customer') {
    const beginning = values.add(`${escapePattern(term)}%`)
    return jsonList(
      shown.customer.columns,
      `${shown.customer.table} where c.id like ${beginning} order by c.id limit ${most}`,
    )
  }
  const start = values.add(sortNameOf(term))
  const end = values.add(`${sortNameOf(term)}\u{10ffff}`)
  const others = newest(values, term, {
    ...{ table: 'customers', alias: 'c', search: searchCustomers },
    order: { from: 'customer_search cs', key: 'cs.created_at', id: 'cs.customer_id' },
    where: 'not cs.hidden',
  })
  return jsonList(
    shown.customer.columns,
    `(
      select id, min(place) as place from (
        select id, row_number() over (order by sort_name, id) as place from (
          select customer_id as id, sort_name from customer_search
          where sort_name >= ${start} and sort_name < ${end} and starts_with(sort_name, ${start}) and not hidden
          order by sort_name, customer_id limit ${most}
        ) beginning
        union all
        select id, ${most} + row_number() over (order by sort_key desc, id desc) from ${others} others
      ) matches group by id order by place limit ${most}
    ) best join ${shown.customer.table} on c.id = best.id order by best.place`,
  )
}

function subscriptions(values: Values, term: string): string {
  const { columns, table, joins } = shown.subscription
  const matches = newest(values, term, {
    ...{ table: 'subscriptions', alias: 's', search: searchSubscriptions, where: 's.deleted_at is null' },
    order: { from: 'subscriptions s', key: 's.created_at', id: 's.id' },
  })
  return jsonList(
    columns,
    `${matches} best join ${table} on s.id = best.id ${joins} order by best.sort_key desc, s.id desc`,
  )
}

function payments(values: Values, term: string): string {
  const { columns, table, joins } = shown.payment
  const matches = newest(values, term, {
    ...{ table: 'payments', alias: 'p', search: searchPayments, where: 'p.deleted_at is null' },
    order: { from: 'payments p', key: 'p.created_at', id: 'p.id' },
  })
  return jsonList(
    columns,
    `${matches} best join ${table} on p.id = best.id ${joins} order by best.sort_key desc, p.id desc`,
  )
}

/** Numbers and ids are known by how they begin. Both are random after a while, so there is no order of their own to keep. */
function invoices(values: Values, term: string): string {
  const { columns, table, joins } = shown.invoice
  const isId = kindOfId(term) === 'invoice'
  const beginning = values.add(`${escapePattern(isId ? term : term.toLowerCase())}%`)
  const key = isId ? 'i.id' : 'lower(i.number)'
  // The order of an index that serves LIKE: thousands of numbers may begin alike.
  const order = isId ? key : `${key} using ~<~`
  return jsonList(
    columns,
    `${table} ${joins} where ${key} like ${beginning} and i.deleted_at is null order by ${order}, i.id limit ${most}`,
  )
}

function purchases(values: Values, term: string): string {
  const { columns, table, joins } = shown.purchase
  if (kindOfId(term) === 'purchase') {
    const beginning = values.add(`${escapePattern(term)}%`)
    const where = `s.id like ${beginning} and ${isPurchase('s')}`
    return jsonList(columns, `${table} ${joins} where ${where} order by s.id limit ${most}`)
  }
  const matches = newest(values, term, {
    ...{ table: 'checkout_sessions', alias: 's', search: searchPurchases, where: isPurchase('s') },
    order: { from: 'checkout_sessions s', key: 's.created_at', id: 's.id' },
  })
  return jsonList(
    columns,
    `${matches} best join ${table} on s.id = best.id ${joins} order by best.sort_key desc, s.id desc`,
  )
}

/** Administrators are few: they are read along the index of their names until enough match. */
function users(values: Values, term: string): string {
  const text = values.add(term)
  return jsonList(
    shown.user.columns,
    `${shown.user.table} where position(lower(${text}) in lower(u.name)) > 0 or position(lower(${text}) in u.email) > 0
    order by lower(u.name), u.id limit ${most}`,
  )
}

const branches: Record<Kind, { column: string; build: (values: Values, term: string) => string }> = {
  customer: { column: 'customers', build: customers },
  subscription: { column: 'subscriptions', build: subscriptions },
  payment: { column: 'payments', build: payments },
  invoice: { column: 'invoices', build: invoices },
  purchase: { column: 'purchases', build: purchases },
  user: { column: 'users', build: users },
}

/**
 * Everything in one statement; for an id, or the beginning of one, only its own kind. It is planned each time: the right
 * plan depends on how frequent the term is.
 */
export async function findRows(pool: Pool, allowed: readonly Kind[], term: string): Promise<Found> {
  const only = kindOfId(term)
  const kinds = allowed.filter((kind) => only === undefined || kind === only)
  const nothing: Found = {
    ...{ named: null, customers: [], subscriptions: [], payments: [], invoices: [], purchases: [], users: [] },
  }
  if (kinds.length === 0) return nothing
  const values = new Values()
  const columns = kinds.map((kind) => `${branches[kind].build(values, term)} as ${branches[kind].column}`)
  const text = `select ${[`${named(values, kinds, term)} as named`, ...columns].join(',\n  ')}`
  const [row] = await runStatement<Partial<Found>>(pool, { text, values: values.list })
  return { ...nothing, ...row }
}
