import type { Pool } from 'pg'
import type { List } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'
import { escapePattern, jsonList, searchPayments, searchSubscriptions } from '../../billing/index.ts'
import { searchCustomers } from '../../customers/index.ts'
import { isPurchase } from '../../purchases/index.ts'
import { domains, sites, users, type World } from './few.ts'
import { kindOfId } from './kind-of-id.ts'
import { named } from './named.ts'
import { placeOf } from './place.ts'
import {
  type CustomerRow,
  type DeploymentRow,
  type DomainRow,
  type InvoiceRow,
  type Kind,
  most,
  type PaymentRow,
  type PurchaseRow,
  type Row,
  type SiteRow,
  type SubscriptionRow,
  shown,
  type UserRow,
} from './rows.ts'
import { searchDeployments } from './search-deployments.ts'
import { searchPurchases } from './search-purchases.ts'

type Found = {
  named: Row | null
  customers: CustomerRow[]
  sites: SiteRow[]
  domains: DomainRow[]
  deployments: DeploymentRow[]
  subscriptions: SubscriptionRow[]
  payments: PaymentRow[]
  invoices: InvoiceRow[]
  purchases: PurchaseRow[]
  users: UserRow[]
}

/** So many of the newest are looked at for a name of which a word begins with the term. */
const candidates = 30

type Search = typeof searchCustomers
type Newest = {
  table: string
  alias: string
  order: Omit<List['order'], 'isWhole'>
  where?: string
  search: Search
  take?: number
}

/** The newest matches as `id` and `sort_key`, found in the way of the kind's own list, whose indexes serve it. */
function newest(values: Values, term: string, options: Newest): string {
  const { table, alias, order, where = '', search, take = most } = options
  const list: List = {
    ...{ table, alias, values, order: { ...order, isWhole: false }, isDescending: true, where: where ? [where] : [] },
    ...{ columns: '', joins: '', total: null, isPrepared: false },
  }
  const rows = search(list, term)?.(list, {
    where: where ? `where ${where}` : '',
    orderBy: `${order.key} desc, ${order.id} desc`,
    direction: 'desc',
    take,
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

/** Those whose names begin with the term, then those with a word that does, then the newest of the others. */
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
    take: candidates,
  })
  const word = placeOf(values, term, `coalesce(named.name, '')`)
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
        select others.id, ${most} + row_number() over (order by ${word}, sort_key desc, others.id desc)
        from ${others} others join customers named on named.id = others.id
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

function deployments(values: Values, term: string): string {
  const { columns, table, joins } = shown.deployment
  const matches = newest(values, term, {
    ...{ table: 'deployments', alias: 'd', search: searchDeployments },
    order: { from: 'deployments d', key: 'd.queued_at', id: 'd.id' },
  })
  return jsonList(
    columns,
    `${matches} best join ${table} on d.id = best.id ${joins} order by best.sort_key desc, d.id desc`,
  )
}

type Branch = { column: keyof Found; build: (values: Values, term: string, world: World) => string }

const branches: Record<Kind, Branch> = {
  customer: { column: 'customers', build: customers },
  site: { column: 'sites', build: sites },
  domain: { column: 'domains', build: domains },
  deployment: { column: 'deployments', build: deployments },
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
export async function findRows(pool: Pool, allowed: readonly Kind[], term: string, world: World): Promise<Found> {
  const only = kindOfId(term)
  const kinds = allowed.filter((kind) => only === undefined || kind === only)
  const nothing: Found = {
    ...{ named: null, customers: [], sites: [], domains: [], deployments: [], subscriptions: [], payments: [] },
    ...{ invoices: [], purchases: [], users: [] },
  }
  if (kinds.length === 0) return nothing
  const values = new Values()
  const columns = kinds.map((kind) => `${branches[kind].build(values, term, world)} as ${branches[kind].column}`)
  const text = `select ${[`${named(values, kinds, term)} as named`, ...columns].join(',\n  ')}`
  const [row] = await runStatement<Partial<Found>>(pool, { text, values: values.list })
  return { ...nothing, ...row }
}
