import type { ReportFigureSql } from '@agency/contract/report-sql'
import { figure, literal, type Span, within } from './text.ts'

/** What came in and went back: a refund or lost dispute leaves the moment of its payment and is counted at its own. */
export const movedSql = (span: Span, columns = ''): string => {
  const { currency } = span
  const of = (table: string, sign: string, at: string, amount = 'amount') =>
    `select ${columns}${at} as at, ${sign}${amount} as amount from ${table} where currency = ${literal(currency)} and ${within(at, span)}`
  return `  ${of('payments', '', 'created_at', 'net_amount')} and deleted_at is null
  union all
  ${of('refunds', '-', 'created_at')} and taken_off is not null
  union all
  ${of('refunds', '', 'taken_off')}
  union all
  ${of('disputes', '-', 'created_at')} and taken_off is not null
  union all
  ${of('disputes', '', 'taken_off')}`
}

const revenueBy = (span: Span, unit: 'month' | 'day'): string => `
select to_char(at at time zone ${literal(span.timeZone)}, '${unit === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD'}') as ${unit}, sum(amount) as revenue
from (
${movedSql(span)}
) moved
group by 1 order by 1`

const settled = (span: Span) =>
  `currency = ${literal(span.currency)} and deleted_at is null and ${within('created_at', span)}`

const grossToNet = (span: Span): string => {
  const of = literal(span.currency)
  return `
select sum(gross) as gross, sum(refunds) as refunds, sum(disputes) as disputes, sum(gross - refunds - disputes) as revenue, sum(tax) as tax
from (
  select amount_captured as gross, amount_refunded as refunds, amount_lost as disputes, 0 as tax from payments
  where currency = ${of} and deleted_at is null and status in ('succeeded', 'refunded') and ${within('created_at', span)}
  union all
  select 0, amount, 0, 0 from refunds where currency = ${of} and taken_off is not null and ${within('created_at', span)}
  union all
  select 0, -amount, 0, 0 from refunds where currency = ${of} and ${within('taken_off', span)}
  union all
  select 0, 0, amount, 0 from disputes where currency = ${of} and taken_off is not null and ${within('created_at', span)}
  union all
  select 0, 0, -amount, 0 from disputes where currency = ${of} and ${within('taken_off', span)}
  union all
  select 0, 0, 0, tax from invoices where currency = ${of} and status = 'paid' and deleted_at is null and ${within('paid_at', span)}
) parts`
}

/** Each bar is the difference of two rounded sums, as the bridge shows it. */
const bridge = (span: Span): string => {
  const kinds = ['new', 'expansion', 'reactivation', 'contraction', 'churn'] as const
  const sumOf = (kind: string) =>
    `coalesce(sum(amount) filter (where at >= ${literal(span.from)} and kind = '${kind}'), 0) as ${kind}`
  const upTo = (count: number) => `round_half_even(${['start', ...kinds.slice(0, count)].join(' + ')})`
  const bars = kinds.map((kind, index) => {
    const isLoss = kind === 'contraction' || kind === 'churn'
    const [first, second] = isLoss ? [upTo(index), upTo(index + 1)] : [upTo(index + 1), upTo(index)]
    return `${first} - ${second} as ${kind}`
  })
  return `
with sums as (
  select coalesce(sum(amount) filter (where at < ${literal(span.from)}), 0) as start,
    ${kinds.map(sumOf).join(',\n    ')}
  from mrr_movements where currency = ${literal(span.currency)} and at < ${literal(span.until)}
)
select round_half_even(start) as start, ${bars.join(',\n  ')},
  ${upTo(kinds.length)} as "end"
from sums`
}

const unserved = (at: string): string => `case
    when paid_at >= ${at} or ends_at <= ${at} or stopped_at <= ${at} then 0
    when starts_at >= ${at} then amount
    else round(amount * extract(epoch from ends_at - ${at}) / extract(epoch from ends_at - starts_at))
  end`

const deferred = (span: Span & { end: string }): string => {
  const moment = (at: string) => `${literal(at)}::timestamptz`
  return `
select sum(${unserved(moment(span.from))}) as start,
  coalesce(sum(amount) filter (where ${within('paid_at', { from: span.from, until: span.end })}), 0) as added,
  sum(${unserved(moment(span.end))}) as "end"
from invoice_terms
where currency = ${literal(span.currency)} and paid_at < ${literal(span.end)} and ends_at > ${literal(span.from)}`
}

const topSites = (span: Span): string => `
with moved as (
${movedSql(span, 'customer_id, ')}
),
paid as (select customer_id, sum(amount) as net from moved group by customer_id),
shares as (
  select s.id, s.domain, s.customer_id, coalesce(p.net, 0) as net, count(*) over (partition by s.customer_id) as sites,
    row_number() over (partition by s.customer_id order by s.created_at, s.id) as place
  from sites s left join paid p on p.customer_id = s.customer_id
  where s.deleted_at is null and s.customer_id is not null
)
select domain, div(net * place, sites) - div(net * (place - 1), sites) as revenue
from shares order by revenue desc, domain limit 10`

/** `end`: when the range ends, or now; `until` of one that is not over is a little later, for what Stripe's clock has ahead. */
export function revenueSql(
  span: Span & { end: string },
  { first, last }: { first: string; last: string },
): ReportFigureSql[] {
  const of = literal(span.currency)
  const code = span.currency.toUpperCase()
  return [
    figure(
      'Total Revenue',
      `select sum(amount) as revenue\nfrom (\n${movedSql(span)}\n) moved`,
      `Total Revenue (${code})`,
    ),
    figure('Revenue by month', revenueBy(span, 'month')),
    figure('Revenue by day', revenueBy(span, 'day')),
    figure(
      'Active Subscriptions',
      `select count(*) as subscriptions from subscriptions
where running_from < ${literal(span.until)} and deleted_at is null and (ended_at is null or ended_at >= ${literal(span.until)})`,
    ),
    figure(
      'Total Sites',
      `select count(*) as sites from sites
where created_at < ${literal(span.until)} and (deleted_at is null or deleted_at >= ${literal(span.until)})`,
    ),
    figure(
      'Avg Response Time',
      `select sum(response_us) / nullif(sum(answered), 0) / 1000 as milliseconds from monitored_days
where answered > 0 and day between ${literal(first)} and ${literal(last)}`,
      'Avg Response Time: days that are over, and of today the hours that are',
    ),
    figure('MRR bridge', bridge(span), `MRR bridge (${code})`),
    figure(
      'MRR now',
      `select round_half_even(sum(mrr)) as mrr, round_half_even(sum(mrr) - sum(leaving)) as committed, round_half_even(sum(late)) as past_due
from (
  select mrr, 0 as leaving, case when status = 'past_due' then mrr else 0 end as late from subscription_totals where currency = ${of}
  union all
  select 0, mrr, 0 from subscriptions
  where currency = ${of} and mrr <> 0 and deleted_at is null and (cancel_at_period_end or cancel_at is not null)
) m`,
      `MRR, committed and past due MRR, now (${code})`,
    ),
    figure('Gross to net', grossToNet(span), `Gross to net (${code})`),
    figure(
      'Settlement',
      `select coalesce(sum(amount) filter (where part = 'charges'), 0) as charges,
  coalesce(-sum(amount) filter (where part = 'refunds'), 0) as refunds,
  coalesce(-sum(amount) filter (where part = 'disputes'), 0) as disputes,
  coalesce(sum(amount) filter (where part = 'other'), 0) as other,
  sum(fee) - coalesce(sum(amount) filter (where part = 'fees'), 0) as fees,
  sum(net) as net
from balance_transactions where part <> 'moved' and ${settled(span)}`,
      `What Stripe settled in ${code}, with its fees`,
    ),
    figure('Deferred revenue', deferred(span), `Deferred revenue (${code})`),
    figure('Top Performing Sites', topSites(span)),
  ]
}
