import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

/** What changed in `month` for those whose first MRR was in `cohort`. */
export type CohortChange = {
  cohort: string
  month: string
  /** How many more have MRR at its end, and how many had their first in it. */
  customers: number
  joined: number
  mrr: string
  reconstructed: boolean
}

// Both moments are looked up among the beginnings of the months: formatting each of them would cost ten times as much.
const text = `with months as materialized (
    select array_agg(start at time zone $1 order by start) as at, array_agg(to_char(start, 'YYYY-MM') order by start) as names
    from generate_series(
      ($5 || '-01')::timestamp - make_interval(months => $3::int - 1), ($5 || '-01')::timestamp + interval '1 month',
      interval '1 month'
    ) start
  ),
  sums as (
    select width_bucket(first_at, (select at from months)) as cohort, width_bucket(at, (select at from months)) as month,
      sum(case kind when 'churn' then -1 when 'new' then 1 when 'reactivation' then 1 else 0 end)::bigint as customers,
      count(*) filter (where kind = 'new') as joined, sum(after - before)::text as mrr, bool_or(reconstructed) as reconstructed
    from mrr_movements
    where currency = $2 and at < $4::timestamptz and first_at >= (select at[1] from months)
    group by 1, 2
  )
  select names[cohort] as cohort, names[month] as month, customers, joined, mrr, reconstructed
  from sums cross join months order by cohort, month`

/** The `months` cohorts up to the month `last`, as far as they are known before a moment. */
export const findCohorts = (
  pool: Pool,
  {
    timeZone,
    currency,
    months,
    until,
    last,
  }: { timeZone: string; currency: string; months: number; until: string; last: string },
): Promise<CohortChange[]> =>
  runStatement<CohortChange>(pool, { text, values: [timeZone, currency, months, until, last], prepare: true })

export type MonthBounds = { from: string; until: string }

/** When a month begins and ends there, `offset` months later. */
export async function findMonth(pool: Pool, timeZone: string, month: string, offset: number): Promise<MonthBounds> {
  const [row] = await runStatement<MonthBounds>(pool, {
    text: `select iso_utc((m + make_interval(months => $3::int)) at time zone $1) as "from",
        iso_utc((m + make_interval(months => $3::int + 1)) at time zone $1) as until
      from (select ($2 || '-01')::timestamp as m) t`,
    values: [timeZone, month, offset],
  })
  return row ?? { from: '', until: '' }
}
