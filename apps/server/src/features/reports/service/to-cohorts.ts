import type { Cohort } from '@agency/contract/types'
import { add, parseDecimal, type Rational, roundHalfEven, zero } from '../../../integrations/stripe/rational.ts'
import type { CohortChange } from '../queries/cohorts.ts'

/** Months from one to another, both as `2026-11`. */
function monthsBetween(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number)
  return (toYear - fromYear) * 12 + toMonth - fromMonth
}

const percent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10

/** What is left of each cohort at the end of each month up to `last`, which is not over when `isPartial`. */
export function toCohorts(changes: readonly CohortChange[], last: { month: string; isPartial: boolean }): Cohort[] {
  const names = [...new Set(changes.map(({ cohort }) => cohort))]
  return names.map((month) => {
    const own = changes.filter(({ cohort }) => cohort === month)
    const joined = own.filter((change) => change.month === month)
    let customers = 0
    let mrr: Rational = zero
    const months: Cohort['months'] = []
    const length = monthsBetween(month, last.month)
    const size = Math.max(0, ...joined.map(({ joined: count }) => count))
    for (let offset = 0; offset <= length; offset++) {
      for (const change of own.filter((one) => monthsBetween(month, one.month) === offset)) {
        customers += change.customers
        mrr = add(mrr, parseDecimal(change.mrr) ?? zero)
      }
      const amount = Number(roundHalfEven(mrr))
      const first = months[0]
      months.push({
        ...{ offset, partial: offset === length && last.isPartial, customers, mrr: amount },
        logo_percent: size === 0 ? 0 : percent(customers, size),
        revenue_percent: (first?.mrr ?? amount) === 0 ? null : percent(amount, first?.mrr ?? amount),
      })
    }
    return {
      ...{ month, customers: size, mrr: months[0]?.mrr ?? 0, months },
      reconstructed: own.some(({ reconstructed }) => reconstructed),
    }
  })
}
