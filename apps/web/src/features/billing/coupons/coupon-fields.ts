import { type AmountRead, readAmount, readWhole } from '../../../lib/amount-field.ts'
import type { Problems } from '../../../lib/form/use-edit-form.ts'
import { endOfDay } from '../../../lib/format-time.ts'
import type { Option } from '../../../ui/SearchChoice.tsx'

/** As they are typed. */
export type CouponFields = {
  name: string
  kind: 'percent' | 'amount'
  percent: string
  amount: string
  currency: string
  duration: 'once' | 'repeating' | 'forever'
  months: string
  redemptions: string
  /** `2026-11-21`, the last day. */
  lastDay: string
  plans: Option[]
}

export const newCoupon = (currency: string): CouponFields => ({
  ...{ name: '', kind: 'percent', percent: '', amount: '', currency, duration: 'once', months: '3' },
  ...{ redemptions: '', lastDay: '', plans: [] },
})

const mostRedemptions = 1_000_000_000
const mostMonths = 120

function readPercent(text: string): AmountRead {
  const clean = text.trim().replace(/\s*%$/, '')
  if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(clean)) return { problem: 'Enter a percentage, such as 20 or 12.5' }
  const value = Number(clean)
  if (value === 0) return { problem: 'Enter a percentage above zero' }
  return value > 100 ? { problem: 'At most 100' } : { value }
}

const problemOf = (read: AmountRead | undefined): string | undefined =>
  read && 'problem' in read ? read.problem : undefined
const amountIn = (read: AmountRead | undefined): number | undefined =>
  read && 'value' in read ? read.value : undefined

/** Still on that day, so that it is the day that is shown. */
const lastSecondOf = (day: string): Date => new Date(endOfDay(day).getTime() - 1000)

/** How often and until when something can be redeemed; an empty field is no limit. */
export function readLimits({ redemptions, lastDay }: { redemptions: string; lastDay: string }, now: number) {
  const most = redemptions.trim() === '' ? undefined : readWhole(redemptions, 1, mostRedemptions)
  const end = /^\d{4}-\d{2}-\d{2}$/.test(lastDay) ? lastSecondOf(lastDay) : undefined
  return {
    problems: {
      redemptions: problemOf(most),
      lastDay: end && end.getTime() <= now ? 'Choose today or a later day' : undefined,
    },
    max_redemptions: amountIn(most),
    end: end?.toISOString(),
  }
}

function readAll(fields: CouponFields, now: number) {
  const percent = fields.kind === 'percent' ? readPercent(fields.percent) : undefined
  const amount = fields.kind === 'amount' ? readAmount(fields.amount, fields.currency) : undefined
  const months = fields.duration === 'repeating' ? readWhole(fields.months, 1, mostMonths) : undefined
  return { percent, amount, months, limits: readLimits(fields, now) }
}

export function couponProblems(fields: CouponFields, now = Date.now()): Problems<CouponFields> {
  const { percent, amount, months, limits } = readAll(fields, now)
  return {
    ...limits.problems,
    name: fields.name.trim() === '' ? 'Enter a name' : undefined,
    percent: problemOf(percent),
    amount: problemOf(amount),
    months: problemOf(months),
  }
}

/** As the server takes it. */
export function couponOf(fields: CouponFields, now = Date.now()) {
  const { percent, amount, months, limits } = readAll(fields, now)
  return {
    ...{ name: fields.name.trim(), duration: fields.duration, duration_in_months: amountIn(months) },
    ...{ percent_off: amountIn(percent), amount_off: amountIn(amount) },
    currency: amount ? fields.currency : undefined,
    ...{ max_redemptions: limits.max_redemptions, redeem_by: limits.end },
    plans: fields.plans.length > 0 ? fields.plans.map(({ id }) => id) : undefined,
  }
}
