import type { Plan } from '@agency/contract/types'
import { divide, multiply, roundHalfEven, whole } from '../../integrations/stripe/rational.ts'

type PlanPrice = Plan['prices'][number]
type Priced = Pick<PlanPrice, 'amount' | 'interval' | 'interval_count' | 'billing_scheme' | 'usage_type'>

/** How many of an interval make a year. */
const perYear: Record<string, number> = { year: 1, month: 12, week: 52, day: 365 }

const share = (amount: number, times: number, parts: number): number =>
  Number(roundHalfEven(divide(multiply(whole(amount), whole(times)), whole(parts))))

/** The price per month and per year, and which of the two is not the one that is charged. */
export function monthlyAndYearly(price: Priced): Pick<PlanPrice, 'monthly_price' | 'yearly_price' | 'derived'> {
  const { amount, interval, interval_count: every } = price
  const periods = interval === null ? undefined : perYear[interval]
  const isFixed = price.billing_scheme === 'per_unit' && price.usage_type === 'licensed'
  if (amount === null || periods === undefined || every === null || !isFixed)
    return { monthly_price: null, yearly_price: null, derived: null }
  const isMonthly = interval === 'month' && every === 1
  const isYearly = periods === every
  return {
    monthly_price: share(amount, periods, 12 * every),
    yearly_price: share(amount, periods, every),
    derived: isMonthly ? 'yearly' : isYearly ? 'monthly' : 'both',
  }
}
