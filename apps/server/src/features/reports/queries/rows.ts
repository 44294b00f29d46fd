import type { FigureRow, RevenueFigure } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { unserved } from './deferred.ts'
import { movementRows, rowsAt, subscriptionRows } from './mrr-rows.ts'
import { shareOfSite } from './top-sites.ts'

export type Wanted = {
  from: string
  until: string
  currency: string
  limit: number
  offset: number
  site: string | null
}
export type Rows = { total: number; count: number; rows: FigureRow[] }

const made = (alias: string, at: string): string =>
  `${alias}.${at} >= $1 and ${alias}.${at} < $2 and ${alias}.currency = $3`

const row = (parts: {
  id: string
  kind: string
  opens: [kind: string, id: string]
  at: string
  customer: string
  text: string
  amount: string
}): string => `select ${parts.id} as id, '${parts.kind}' as kind, '${parts.opens[0]}' as opens_kind, ${parts.opens[1]} as opens_id,
    ${parts.at} as at, ${parts.customer} as customer_id, ${parts.text} as text, (${parts.amount})::bigint as amount,
    false as reconstructed`

const gross = `${row({
  ...{ id: 'p.id', kind: 'payment', opens: ['payment', 'p.id'], at: 'p.created_at', customer: 'p.customer_id' },
  ...{ text: "coalesce(p.description, 'Payment')", amount: 'p.amount_captured' },
})}
    from payments p where ${made('p', 'created_at')} and p.deleted_at is null and p.status in ('succeeded', 'refunded')`

/** What a payment says went back and no refund does counts at the payment. */
const refunds = (sign: '' | '-') => `${row({
  ...{ id: 'r.id', kind: 'refund', opens: ['payment', 'r.payment_id'], at: 'r.created_at', customer: 'r.customer_id' },
  ...{ text: "'Refund'", amount: `${sign}r.amount` },
})}
    from refunds r where ${made('r', 'created_at')} and r.taken_off is not null
    union all
    ${row({
      ...{ id: "p.id || ':refunded'", kind: 'payment', opens: ['payment', 'p.id'], at: 'p.created_at' },
      ...{
        customer: 'p.customer_id',
        text: "'Refunded (refund unknown)'",
        amount: `${sign}(p.amount_refunded - k.known)`,
      },
    })}
    from (
      select p.id from payments p where ${made('p', 'created_at')} and p.deleted_at is null and p.amount_refunded <> 0
      union select r.payment_id from refunds r where ${made('r', 'taken_off')}
    ) c
    join payments p on p.id = c.id and p.deleted_at is null and p.status in ('succeeded', 'refunded')
    cross join lateral (
      select coalesce(sum(r.amount), 0) as known from refunds r where r.payment_id = p.id and r.taken_off is not null
    ) k
    where p.amount_refunded <> k.known`

const disputes = (sign: '' | '-') => `${row({
  ...{ id: 'd.id', kind: 'dispute', opens: ['payment', 'd.payment_id'], at: 'd.created_at', customer: 'd.customer_id' },
  ...{ text: "'Lost dispute: ' || replace(d.reason, '_', ' ')", amount: `${sign}d.amount` },
})}
    from disputes d where ${made('d', 'created_at')} and d.taken_off is not null`

const revenue = [gross, refunds('-'), disputes('-')].join('\n    union all\n    ')

const tax = `${row({
  ...{ id: 'i.id', kind: 'invoice', opens: ['invoice', 'i.id'], at: 'i.paid_at', customer: 'i.customer_id' },
  ...{ text: "'Tax of ' || coalesce(i.number, 'an invoice')", amount: 'i.tax' },
})}
    from invoices i where ${made('i', 'paid_at')} and i.status = 'paid' and i.tax <> 0 and i.deleted_at is null`

const transactions = (amount: string) => `${row({
  ...{ id: 't.id', kind: 'transaction', opens: ['payment', 'coalesce(c.payment_id, r.payment_id, d.payment_id)'] },
  ...{ at: 't.created_at', customer: 'coalesce(c.customer_id, r.customer_id, d.customer_id)' },
  ...{ text: "coalesce(t.raw ->> 'description', replace(t.category, '_', ' '))", amount },
})}
    from balance_transactions t
    left join charges c on c.id = t.source_id left join refunds r on r.id = t.source_id left join disputes d on d.id = t.source_id
    where ${made('t', 'created_at')} and t.deleted_at is null and t.part <> 'moved' and (${amount}) <> 0`

const terms = (amount: string) => `${row({
  ...{ id: "concat_ws(':', t.invoice_id, t.line_id, nullif(t.refund_id, ''))", kind: 'invoice' },
  ...{ opens: ['invoice', 't.invoice_id'], at: 't.paid_at', customer: 't.customer_id' },
  text: "case when t.refund_id = '' then 'Paid ahead' else 'Refunded' end || ' until ' || to_char(t.ends_at, 'MM/DD/YYYY')",
  amount,
})}
    from invoice_terms t
    where t.currency = $3 and t.paid_at < $2 and t.ends_at > $1 and (${amount}) <> 0`

const [atStart, atEnd] = [unserved('$1::timestamptz'), unserved('$2::timestamptz')]
const paidWithin = 'case when t.paid_at >= $1 then t.amount else 0 end'
const settledAs = (part: string, sign: '' | '-' = '') =>
  transactions(`case when t.part = '${part}' then ${sign}t.amount else 0 end`)
const fee = "t.fee - case when t.part = 'fees' then t.amount else 0 end"

const texts: Record<RevenueFigure, string> = {
  revenue,
  gross,
  refunds: refunds(''),
  disputes: disputes(''),
  tax,
  fees: transactions(fee),
  net: `${revenue}
    union all
    ${transactions(`-(${fee})`)}`,
  settled_charges: settledAs('charges'),
  settled_refunds: settledAs('refunds', '-'),
  settled_disputes: settledAs('disputes', '-'),
  settled_other: settledAs('other'),
  settled_net: transactions('t.net'),
  start: rowsAt('$1'),
  new: movementRows('new'),
  expansion: movementRows('expansion'),
  reactivation: movementRows('reactivation'),
  contraction: movementRows('contraction'),
  churn: movementRows('churn'),
  end: rowsAt('$2'),
  mrr: subscriptionRows('true'),
  committed: subscriptionRows('not (s.cancel_at_period_end or s.cancel_at is not null)'),
  past_due: subscriptionRows("s.status = 'past_due'"),
  deferred: terms(atEnd),
  deferred_start: terms(atStart),
  deferred_added: terms(paidWithin),
  deferred_recognized: terms(`${atStart} + ${paidWithin} - ${atEnd}`),
  site_revenue: shareOfSite(revenue),
}

const page = (text: string): string => `with r as materialized (
    ${text}
  )
  select (select coalesce(sum(amount), 0) from r)::bigint as total, (select count(*) from r) as count,
    coalesce((
      select json_agg(json_build_object(
        'id', p.id, 'kind', p.kind,
        'opens', case when p.opens_id is not null then json_build_object('kind', p.opens_kind, 'id', p.opens_id) end,
        'at', iso_utc(p.at), 'customer_id', p.customer_id, 'customer', coalesce(c.name, c.email), 'text', p.text,
        'amount', p.amount, 'reconstructed', p.reconstructed
      ) order by p.at desc nulls last, p.amount desc, p.id)
      from (select * from r order by at desc nulls last, amount desc, id limit $4 offset $5) p
      left join customers c on c.id = p.customer_id
    ), '[]') as rows`

/** The rows behind a figure, with what they add up to. */
export async function findRows(pool: Pool, figure: RevenueFigure, wanted: Wanted): Promise<Rows> {
  const { from, until, currency, limit, offset, site } = wanted
  const values = [from, until, currency, limit, offset, ...(figure === 'site_revenue' ? [site] : [])]
  const [found] = await runStatement<Rows>(pool, { text: page(texts[figure]), values })
  return found ?? { total: 0, count: 0, rows: [] }
}
