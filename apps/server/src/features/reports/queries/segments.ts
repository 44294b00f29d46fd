import type { FigureRow } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { movedMoney } from './moved-money.ts'
import { moments, rowsOf, wholeTotals } from './straddled.ts'

export type SegmentSum = { segment: string; count: number; revenue: number }

const paidBy = `paid_by as (select customer_id, sum(amount) as net from (${movedMoney()}) m group by customer_id)`

const segmentOf = "coalesce((select c.segment from customers c where c.id = r.customer_id), 'other') as segment"
const back = (table: string): string[] => [
  rowsOf(table, 'taken_off', `${segmentOf}, r.currency, r.amount`),
  rowsOf(table, 'created_at', `${segmentOf}, r.currency, -r.amount`, 'r.taken_off is not null'),
]
const pieces = [
  wholeTotals('segment', ['segment', 'currency'], { amount: 'net' }, 1),
  rowsOf('payments', 'created_at', `${segmentOf}, r.currency, r.net_amount`, 'r.deleted_at is null'),
  ...back('refunds'),
  ...back('disputes'),
]

// Those who are nobody's customer, or have no live subscription, are among the others.
const text = `with ${moments},
  revenue as (
    select segment, sum(amount) as amount from (${pieces.join('\n    union all')}) p
    where part = 1 and currency = $2 group by segment
  ),
  living as (select segment, count(*) as count from customers where is_live group by segment)
  select segment, coalesce(l.count, 0) as count, coalesce(r.amount, 0)::bigint as revenue
  from living l full join revenue r using (segment)`

export const findSegments = (pool: Pool, from: string, until: string, currency: string): Promise<SegmentSum[]> =>
  runStatement<SegmentSum>(pool, { text, values: [[from, until], currency], prepare: true })

export type CustomerRows = { total: number; count: number; rows: FigureRow[] }

const page = (rows: string): string => `${rows}
  select (select coalesce(sum(amount), 0) from r)::bigint as total, (select count(*) from r) as count,
    coalesce((
      select json_agg(json_build_object('id', coalesce(p.id, 'none'), 'kind', 'customer',
        'opens', case when p.id is not null then json_build_object('kind', 'customer', 'id', p.id) end,
        'at', iso_utc(p.at), 'customer_id', p.id, 'customer', coalesce(c.name, c.email), 'text', p.text, 'amount', p.amount,
        'reconstructed', p.reconstructed) order by p.amount desc, p.id)
      from (select * from r order by amount desc, id limit $4 offset $5) p left join customers c on c.id = p.id
    ), '[]') as rows`

const segmentText = page(`with living as materialized (select id, segment from customers where is_live), ${paidBy},
  r as materialized (
    select coalesce(s.id, p.customer_id) as id, null::timestamptz as at, coalesce(p.net, 0)::bigint as amount,
      case when coalesce(s.id, p.customer_id) is null then 'Payments without a customer'
        when s.id is null then 'No live plan' else 'Customer' end as text, false as reconstructed
    from living s full join paid_by p on p.customer_id = s.id
    where coalesce(s.segment, 'other') = $6
  )`)

export type CustomersWanted = { from: string; until: string; currency: string; limit: number; offset: number }

const onlyRow = async (rows: Promise<CustomerRows[]>): Promise<CustomerRows> =>
  (await rows)[0] ?? { total: 0, count: 0, rows: [] }

export const findSegmentRows = (pool: Pool, wanted: CustomersWanted, segment: string): Promise<CustomerRows> => {
  const { from, until, currency, limit, offset } = wanted
  return onlyRow(runStatement(pool, { text: segmentText, values: [from, until, currency, limit, offset, segment] }))
}

// MRR of each customer at a moment, rounded as its sum is.
const payingText = page(`with at_moment as (
    select distinct on (customer_id) customer_id, after, at, reconstructed, first_at from mrr_movements
    where currency = $3 and at < $2 and $1::timestamptz is not null
      and ($6::timestamptz is null or first_at >= $6) and ($7::timestamptz is null or first_at < $7)
    order by customer_id, at desc
  ),
  r as materialized (
    select customer_id as id, first_at as at, 'MRR' as text, reconstructed,
      round_half_even(sum(after) over (order by customer_id))
        - round_half_even(sum(after) over (order by customer_id) - after) as amount
    from at_moment where after <> 0
  )`)

/** Those with MRR at `until`; `since` and `before`: only those whose first was between them. */
export const findPayingRows = (
  pool: Pool,
  wanted: CustomersWanted,
  cohort: { since: string; before: string } | null,
): Promise<CustomerRows> => {
  const { from, until, currency, limit, offset } = wanted
  const values = [from, until, currency, limit, offset, cohort?.since ?? null, cohort?.before ?? null]
  return onlyRow(runStatement(pool, { text: payingText, values }))
}
