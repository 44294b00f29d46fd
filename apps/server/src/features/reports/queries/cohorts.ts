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

const text = `select to_char(first_at at time zone $1, 'YYYY-MM') as cohort, to_char(at at time zone $1, 'YYYY-MM') as month,
    sum(case kind when 'churn' then -1 when 'new' then 1 when 'reactivation' then 1 else 0 end)::bigint as customers,
    count(*) filter (where kind = 'new') as joined, sum(after - before)::text as mrr, bool_or(reconstructed) as reconstructed
  from mrr_movements
  where currency = $2 and at < $4::timestamptz
    and first_at >= (($5 || '-01')::timestamp - make_interval(months => $3::int - 1)) at time zone $1
  group by 1, 2 order by 1, 2`

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
