import type { dunning } from '@agency/contract'
import type { Dunning, FailedInvoice } from '@agency/contract/dunning'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Pool } from 'pg'
import type { ParametersOf } from '../../platform/export-kind.ts'
import { countAll, type List, type Order, type RowsOf, readAll, readPage } from '../../platform/keyset.ts'
import { literal, runStatement, Values } from '../../platform/statements.ts'
import {
  byOwners,
  customerMatches,
  escapePattern,
  findsCustomers,
  paymentCard,
  planName,
  searchRows,
  searchTerm,
} from '../billing/index.ts'
import { type InvoiceRow, listedColumns, listedJoins } from '../invoices/index.ts'

// Aliases: i invoices, c customers, s subscriptions, p payments, ch charges.

export type DunningQuery = QueryOf<typeof dunning.listFailedInvoices>
type Filters = ParametersOf<'dunning'>
export type FailedRow = InvoiceRow & Omit<FailedInvoice, keyof InvoiceRow | 'refusals'>

/** As the indexes have it. */
const wasTried = `i.status = 'open' and i.attempt_count > 0 and i.amount_remaining > 0 and i.deleted_at is null`

/** A debit takes days: until the bank has answered, nothing has failed. Few are under way, so they are read once. */
const isUnderWay = `i.id in (
  select under_way.invoice_id from payments debit join invoice_payments under_way on under_way.payment_id = debit.id
  where debit.status = 'processing' and debit.deleted_at is null and under_way.deleted_at is null
    and under_way.invoice_id is not null
)`

const isFailing = `${wasTried} and not ${isUnderWay}`

/** When the provider tries again; last, if it does not. */
const nextAttempt = `coalesce(i.next_attempt_at, 'infinity'::timestamptz)`

const orders: Record<'next_attempt_at' | 'amount_remaining' | 'created_at', Order> = {
  next_attempt_at: {
    ...{ from: 'invoices i', id: 'i.id', isWhole: true },
    key: nextAttempt,
  },
  amount_remaining: { from: 'invoices i', key: 'i.amount_remaining', id: 'i.id', isWhole: true },
  created_at: { from: 'invoices i', key: 'i.created_at', id: 'i.id', isWhole: true },
}

const columns = `${listedColumns}, case when s.id is not null then ${planName} end as plan_name, s.status as subscription_status,
  tried.id as payment_id, iso_utc(coalesce(ch.created_at, case when tried.counts_as_failed then tried.created_at end)) as failed_at,
  coalesce(nullif(tried.failure_code, 'canceled'), ch.failure_code) as failure_code,
  coalesce(tried.failure_message, ch.failure_message) as failure_message,
  ${paymentCard('tried')} as card, coalesce(tried.stripe_status = 'requires_action', false) as needs_customer, iso_utc(i.next_attempt_at) as next_attempt_at`

const joins = `${listedJoins}
  left join subscriptions s on s.id = i.subscription_id and s.deleted_at is null
  left join products product on product.id = s.product_id
  left join lateral (
    select p.* from invoice_payments ip join payments p on p.id = ip.payment_id and p.deleted_at is null
    where ip.invoice_id = i.id and ip.deleted_at is null order by ip.created_at desc, ip.id desc limit 1
  ) tried on true
  left join lateral (
    select ch.created_at, ch.failure_code, ch.failure_message from charges ch
    where ch.payment_id = tried.id and ch.status = 'failed' and ch.deleted_at is null
    order by ch.created_at desc, ch.id desc limit 1
  ) ch on true`

function conditions(query: Filters, values: Values): string[] {
  const where = [isFailing]
  if (query.state === 'retrying') where.push(`${nextAttempt} < 'infinity'`)
  if (query.state === 'stopped') where.push(`${nextAttempt} = 'infinity'`)
  if (query.customer !== undefined) where.push(`i.customer_id = ${values.add(query.customer)}`)
  if (query.currency !== undefined) where.push(`i.currency = ${literal(query.currency)}`)
  return where
}

function listOf(query: Filters): List {
  const values = new Values()
  const sort = query.sort ?? 'next_attempt_at'
  const where = conditions(query, values)
  return {
    ...{ table: 'invoices', alias: 'i', columns, joins, where, values, isPrepared: !query.search },
    order: orders[sort.replace('-', '') as keyof typeof orders],
    isDescending: sort.startsWith('-'),
    total: query.search ? null : `(select count(*) from invoices i where ${where.join(' and ')})`,
    asOf: 'mirror_as_of()',
  }
}

/** By customer (name, email, company), the beginning of a number, or an invoice's id. */
function searchOf({ values }: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(values, search)
  if (!term) return undefined
  const direct = [
    `(i.deleted_at is null and lower(i.number) like lower(${values.add(`${escapePattern(term.raw)}%`)}))`,
    `i.id = ${values.add(term.raw)}`,
  ]
  const hits = [
    `(select true from customer_search cs where cs.customer_id = i.customer_id and ${customerMatches(term)} limit 1)`,
    ...direct,
  ]
  return searchRows({
    ...{ sample: 400, frequent: 6, atMost: 8000 },
    scan: (
      { order },
      { where, orderBy },
      limit,
    ) => `select i.id, i.sort_key, coalesce(${hits.join(' or ')}, false) as hit
      from (select i.*, ${order.key} as sort_key from ${order.from} ${where} order by ${orderBy} limit ${limit}) i`,
    indexed: byOwners(
      [
        {
          found: `select cs.customer_id as value from customer_search cs where ${findsCustomers(term)}`,
          owns: (value) => `i.customer_id = ${value}`,
        },
      ],
      direct,
    ),
  })
}

type Page = { invoices: FailedRow[]; has_more: boolean; total: number | null; as_of: string | null }

export async function findFailedInvoices(pool: Pool, query: DunningQuery): Promise<Page> {
  const { limit, starting_after, ending_before, ...filters } = query
  const list = listOf(filters)
  const page = { limit, starting_after, ending_before }
  return JSON.parse(await readPage(pool, 'invoices', list, page, searchOf(list, filters.search))) as Page
}

export function readFailedInvoices(pool: Pool, filters: Filters): AsyncGenerator<FailedRow[]> {
  const list = listOf(filters)
  return readAll(pool, list, searchOf(list, filters.search))
}

export const countFailedInvoices = (pool: Pool, filters: Filters): Promise<number | null> =>
  countAll(pool, listOf(filters))

const figures = `with home as materialized (select default_currency() as currency),
  month as materialized (select date_trunc('month', $1::timestamptz, $2) as start),
  failing as materialized (
    select i.currency, i.amount_remaining, i.next_attempt_at from invoices i where ${isFailing}
  ),
  recovered as (
    select i.currency, i.amount_paid from invoices i, month
    where i.status = 'paid' and i.attempt_count > 0 and i.amount_paid > 0 and i.deleted_at is null and i.paid_at >= month.start
      and exists (
        select from invoice_payments ip join charges ch on ch.payment_id = ip.payment_id
        where ip.invoice_id = i.id and ch.status = 'failed' and ch.deleted_at is null and ch.created_at <= i.paid_at
      )
  ),
  sums as (
    select currency, sum(at_stake)::bigint as at_stake, sum(retrying)::bigint as retrying, sum(stopped)::bigint as stopped,
      sum(recovered)::bigint as recovered, sum(recovered_invoices)::bigint as recovered_invoices
    from (
      select currency, amount_remaining as at_stake, (next_attempt_at is not null)::int as retrying,
        (next_attempt_at is null)::int as stopped, 0 as recovered, 0 as recovered_invoices from failing
      union all select currency, 0, 0, 0, amount_paid, 1 from recovered
      union all select currency, 0, 0, 0, 0, 0 from home
    ) each group by currency
  )
  select json_build_object(
    'currency', (select currency from home),
    'by_currency', (select json_agg(m order by m.currency <> home.currency, m.currency) from sums m cross join home),
    'next_attempt_at', (select iso_utc(min(next_attempt_at)) from failing),
    'month_start', (select iso_utc(start) from month),
    'as_of', mirror_as_of()
  )::text as figures`

export async function findDunning(pool: Pool, now: Date, timeZone: string): Promise<Dunning> {
  const [row] = await runStatement<{ figures: string }>(pool, {
    ...{ text: figures, values: [now, timeZone], prepare: true },
  })
  return JSON.parse(row?.figures ?? '') as Dunning
}
