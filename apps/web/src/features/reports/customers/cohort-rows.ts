import type { Cohort } from '@agency/contract/types'
import { formatCount, formatMoney, formatPercent } from '../../../lib/format.ts'
import type { HeatCell } from '../../../ui/chart/HeatMap.tsx'

export type CohortKind = 'customers' | 'revenue'
type CohortMonth = Cohort['months'][number]

const percentOf = (month: CohortMonth, kind: CohortKind) =>
  kind === 'customers' ? month.logo_percent : month.revenue_percent

/** Retained revenue may be above all of it: the shade ends there. */
function cellOf(cohort: Cohort, month: CohortMonth, kind: CohortKind, currency: string, href: string): HeatCell {
  const percent = percentOf(month, kind)
  const left = kind === 'customers' ? formatCount(month.customers) : formatMoney(month.mrr, currency)
  const whole = kind === 'customers' ? formatCount(cohort.customers) : formatMoney(cohort.mrr, currency)
  return {
    share: percent === null ? null : percent / 100,
    text: percent === null ? '—' : formatPercent(percent, 0),
    title: `${left} of ${whole}${month.partial ? ', month in progress' : ''}`,
    href,
  }
}

export type CohortTable = {
  columns: string[]
  rows: { cohort: Cohort; cells: (HeatCell | null)[] }[]
}

/** A row for each cohort, a column for each month since. */
export function cohortTable(
  cohorts: readonly Cohort[],
  { kind, currency, hrefOf }: { kind: CohortKind; currency: string; hrefOf: (month: string, offset: number) => string },
): CohortTable {
  const longest = Math.max(0, ...cohorts.map(({ months }) => months.length))
  return {
    columns: Array.from({ length: longest }, (_, offset) => String(offset)),
    rows: cohorts.map((cohort) => ({
      cohort,
      cells: Array.from({ length: longest }, (_, offset) => {
        const month = cohort.months.find((each) => each.offset === offset)
        return month ? cellOf(cohort, month, kind, currency, hrefOf(cohort.month, offset)) : null
      }),
    })),
  }
}
