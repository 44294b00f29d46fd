import type { PaymentLink, PaymentLinkState } from '@agency/contract/types'
import { formatCount } from '../../../lib/format.ts'
import { formatExact } from '../../../lib/format-time.ts'
import type { Tone } from '../../../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export const linkChips: Record<PaymentLinkState, Chip> = {
  active: { label: 'Active', tone: 'success' },
  off: { label: 'Off', tone: 'neutral' },
  used_up: { label: 'Used up', tone: 'neutral' },
}

type Item = PaymentLink['items'][number]

/** `5, 1 to 99` */
export function quantityText({ quantity, adjustable }: Pick<Item, 'quantity' | 'adjustable'>): string {
  const given = quantity === null ? '' : formatCount(quantity)
  if (!adjustable) return given
  const range = `${formatCount(Math.max(1, adjustable.minimum))} to ${formatCount(adjustable.maximum)}`
  return given === '' ? range : `${given}, can be ${range}`
}

/** `3 of 5` */
export const paymentsText = ({ made, most }: NonNullable<PaymentLink['payments']>): string =>
  `${made === null ? 'Unknown' : formatCount(made)} of ${formatCount(most)}`

/** Stripe tells of no payment of a link by itself. */
export const countedTitle = ({ fetched_at }: Pick<PaymentLink, 'fetched_at'>): string =>
  `Counted by Stripe as of ${formatExact(fetched_at)}`

/** `buy.stripe.com/test_1` */
export const shortAddress = ({ url }: Pick<PaymentLink, 'url'>): string | null =>
  url?.replace(/^https?:\/\//, '') ?? null

/** Why nothing can be copied, or undefined. */
export const copyBlock = ({ url }: Pick<PaymentLink, 'url'>): string | undefined =>
  url === null ? 'Stripe gave no address' : undefined

/** Why a link cannot be switched on, or undefined. */
export const switchOnBlock = ({ state }: Pick<PaymentLink, 'state'>): string | undefined =>
  state === 'used_up' ? 'Used up: raise its limit at Stripe first' : undefined
