import type { Coupon, CouponState, PromotionCode, PromotionCodeState } from '@agency/contract/types'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { formatDate, formatExact } from '../../../lib/format-time.ts'
import type { Tone } from '../../../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export const couponChips: Record<CouponState, Chip> = {
  valid: { label: 'Valid', tone: 'success' },
  expired: { label: 'Expired', tone: 'neutral' },
  used_up: { label: 'Used up', tone: 'neutral' },
  invalid: { label: 'Not redeemable', tone: 'warning' },
}

export const codeChips: Record<PromotionCodeState, Chip> = {
  active: { label: 'Active', tone: 'success' },
  off: { label: 'Off', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  used_up: { label: 'Used up', tone: 'neutral' },
  coupon_over: { label: 'Coupon ended', tone: 'neutral' },
}

type Redemptions = Pick<Coupon, 'times_redeemed' | 'max_redemptions' | 'fetched_at'>

/** `3 of 10`, `3` */
export function redeemedText({ times_redeemed: times, max_redemptions: most }: Redemptions): string {
  if (times === null) return 'Unavailable'
  return most === null ? formatCount(times) : `${formatCount(times)} of ${formatCount(most)}`
}

/** Stripe tells of no redemption by itself. */
export const countedTitle = ({ fetched_at }: Redemptions): string =>
  `Counted by Stripe as of ${formatExact(fetched_at)}`

/** `2 of 3 active` */
export function codesText({ codes: { total, active } }: Coupon): string {
  if (total === 0) return 'None'
  return active === total ? `${formatCount(total)} active` : `${formatCount(active)} of ${formatCount(total)} active`
}

/** What a code asks of whoever uses it. */
export function limitsOf({ customer, first_time_only, minimum, expires_at }: PromotionCode): string[] {
  return [
    ...(customer ? [`Only ${customer.name ?? customer.id}`] : []),
    ...(first_time_only ? ['First payment only'] : []),
    ...(minimum ? [`From ${formatMoney(minimum.amount, minimum.currency)}`] : []),
    ...(expires_at ? [`Until ${formatDate(expires_at)}`] : []),
  ]
}

/** Why a coupon takes no new codes, or undefined. */
export const codeBlock = ({ state }: Pick<Coupon, 'state'>): string | undefined =>
  state === 'valid' ? undefined : `${couponChips[state].label}: no new codes`

/** Why a code cannot be switched on, or undefined. */
export const switchOnBlock = ({ state }: Pick<PromotionCode, 'state'>): string | undefined =>
  state === 'off' || state === 'active' ? undefined : `${codeChips[state].label}: cannot be switched on`
