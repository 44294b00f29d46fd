import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { moments, rowsOf, wholeTotals } from './straddled.ts'

/** What MRR was after each of its movements were added, in the order of the bridge; whole minor units. */
export type BridgePart = {
  part: number
  currency: string
  start: number
  with_new: number
  with_expansion: number
  with_reactivation: number
  with_contraction: number
  end: number
  reconstructed: boolean
  /** Customers with MRR at the start and at the end, and those who came and left. */
  customers_start: number
  customers_end: number
  customers_lost: number
}

// Exact sums are rounded where they are shown, and what a bar shows is the difference of two of those: so the bars add up.
const text = `with ${moments},
  sums as (
    select part, currency, kind, sum(amount) as amount, sum(movements) as movements, sum(reconstructed) as reconstructed
    from (
      ${wholeTotals('mrr', ['currency', 'kind'], { amount: 'amount', movements: 'movements', reconstructed: 'reconstructed' }, 0)}
      union all
      ${rowsOf('mrr_movements', 'at', 'r.currency, r.kind, r.after - r.before, 1, r.reconstructed::int')}
    ) p group by part, currency, kind
  ),
  parts as (
    select n as part, c.currency,
      coalesce(sum(s.amount) filter (where s.part < n), 0) as start,
      coalesce(sum(s.amount) filter (where s.part = n and s.kind = 'new'), 0) as new,
      coalesce(sum(s.amount) filter (where s.part = n and s.kind = 'expansion'), 0) as expansion,
      coalesce(sum(s.amount) filter (where s.part = n and s.kind = 'reactivation'), 0) as reactivation,
      coalesce(sum(s.amount) filter (where s.part = n and s.kind = 'contraction'), 0) as contraction,
      coalesce(sum(s.amount) filter (where s.part = n and s.kind = 'churn'), 0) as churn,
      coalesce(sum(s.reconstructed) filter (where s.part = n), 0) > 0 as reconstructed,
      coalesce(sum(s.movements * case s.kind when 'churn' then -1 when 'new' then 1 when 'reactivation' then 1 else 0 end)
        filter (where s.part < n), 0) as customers_start,
      coalesce(sum(s.movements * case s.kind when 'churn' then -1 when 'new' then 1 when 'reactivation' then 1 else 0 end)
        filter (where s.part <= n), 0) as customers_end,
      coalesce(sum(s.movements) filter (where s.part = n and s.kind = 'churn'), 0) as customers_lost
    from moments, generate_series(1, cardinality(at) - 1) n
    cross join (select distinct currency from sums) c
    left join sums s on s.currency = c.currency
    group by n, c.currency
  )
  select part, currency, round_half_even(start) as start, round_half_even(start + new) as with_new,
    round_half_even(start + new + expansion) as with_expansion,
    round_half_even(start + new + expansion + reactivation) as with_reactivation,
    round_half_even(start + new + expansion + reactivation + contraction) as with_contraction,
    round_half_even(start + new + expansion + reactivation + contraction + churn) as "end",
    reconstructed, customers_start::bigint, customers_end::bigint, customers_lost::bigint
  from parts order by currency, part`

export const findBridge = (pool: Pool, at: readonly string[]): Promise<BridgePart[]> =>
  runStatement<BridgePart>(pool, { text, values: [at], prepare: true })

export type MrrNow = { currency: string; mrr: number; committed: number; past_due: number }

const nowText = `select currency, round_half_even(sum(mrr)) as mrr, round_half_even(sum(mrr) - sum(leaving)) as committed,
    round_half_even(sum(late)) as past_due
  from (
    select currency, mrr, 0 as leaving, case when status = 'past_due' then mrr else 0 end as late from subscription_totals
    union all
    select currency, 0, mrr, 0 from subscriptions
    where mrr <> 0 and deleted_at is null and (cancel_at_period_end or cancel_at is not null)
  ) m group by currency order by currency`

/** As the dashboard has it, less what is set to be cancelled, and how much of it is past due. */
export const findMrrNow = (pool: Pool): Promise<MrrNow[]> =>
  runStatement<MrrNow>(pool, { text: nowText, values: [], prepare: true })
