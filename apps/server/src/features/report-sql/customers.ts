import type { ReportFigureSql } from '@agency/contract/report-sql'
import { movedSql } from './revenue.ts'
import { figure, literal, type Span, within } from './text.ts'

const came = `case kind when 'churn' then -1 when 'new' then 1 when 'reactivation' then 1 else 0 end`
const monthDays = 30

const segments = (span: Span): string => `
with segment_of as (
  select c.id, case
      when s.status = 'trialing' then 'free_trial'
      when c.account_type in ('enterprise', 'professional', 'starter') then c.account_type
      else 'other'
    end as segment
  from customers c left join subscriptions s on s.id = c.subscription_id and s.deleted_at is null
  where c.is_live
),
moved as (
${movedSql(span, 'customer_id, ')}
),
sums as (
  select coalesce(s.segment, 'other') as segment, 0 as count, m.amount from moved m left join segment_of s on s.id = m.customer_id
  union all
  select segment, 1, 0 from segment_of
)
select segment, sum(count) as count, sum(amount) as revenue from sums group by segment order by segment`

const movements = ({ currency, until }: Span) =>
  `mrr_movements where currency = ${literal(currency)} and at < ${literal(until)}`

/** Of the customers at the start, brought to a month. */
const rate = (span: Span, days: number): string =>
  `${monthDays}.0 * count(*) filter (where kind = 'churn' and at >= ${literal(span.from)})
  / nullif(sum(${came}) filter (where at < ${literal(span.from)}), 0) / ${days}`

const arpa = `round(round_half_even(sum(amount))::numeric / nullif(sum(${came}), 0))`

/** The figures of the customer report. */
export function customersSql(span: Span, days: number): ReportFigureSql[] {
  const code = span.currency.toUpperCase()
  return [
    figure('Segments', segments(span), `Segments, with revenue in ${code}`),
    figure('Paying customers', `select sum(${came}) as customers\nfrom ${movements(span)}`),
    figure('ARPA', `select ${arpa} as arpa\nfrom ${movements(span)}`, `ARPA (${code})`),
    figure('Churn rate', `select round(100 * ${rate(span, days)}, 2) as percent\nfrom ${movements(span)}`),
    figure(
      'LTV',
      `select round(${arpa} / nullif(${rate(span, days)}, 0)) as ltv\nfrom ${movements(span)}`,
      `LTV (${code})`,
    ),
    figure(
      'Churned customers',
      `select count(*) as customers, round_half_even(sum(before)) as mrr
from mrr_movements where currency = ${literal(span.currency)} and kind = 'churn' and ${within('at', span)}`,
    ),
    figure(
      'Cohorts',
      `select to_char(first_at at time zone ${literal(span.timeZone)}, 'YYYY-MM') as cohort,
  to_char(at at time zone ${literal(span.timeZone)}, 'YYYY-MM') as month, sum(${came}) as customers, sum(amount) as mrr
from ${movements(span)} group by 1, 2 order by 1, 2`,
      `Cohorts: what changed in each month, in ${code}`,
    ),
  ]
}
