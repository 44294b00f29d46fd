import type { Plan, SavedMethod } from '@agency/contract/types'
import { cardName } from '../../../lib/cards.ts'
import { formatMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { methodWords } from '../../../lib/payment-methods.ts'
import type { Choice } from '../../../ui/FilterField.tsx'
import { priceLabel } from '../plan-choices.ts'

/** As they are typed; `by` is the id of a saved method, or `invoice`. */
export type SubscriptionFields = {
  price: string
  quantity: string
  trialDays: string
  /** The day of the first full invoice; empty: today. */
  from: string
  coupon: string
  /** The id of a promotion code. */
  code: string
  by: string
  days: string
}

export const byInvoice = 'invoice'

export type Terms = {
  price: string
  quantity: number
  trial_days: number
  billing_anchor?: string
  coupon?: string
  promotion_code?: string
  collection: 'card' | 'invoice'
  payment_method?: string
  days_until_due: number
}
type Problems = Partial<Record<keyof SubscriptionFields, string>>

function whole(text: string, least: number, most: number): number | string {
  const clean = text.trim()
  if (!/^\d{1,9}$/.test(clean)) return 'Enter a whole number'
  const value = Number(clean)
  if (value < least) return `At least ${least}`
  return value > most ? `At most ${most}` : value
}

/** The terms as the server takes them, or what is wrong by field. */
export function readTerms(fields: SubscriptionFields): { terms?: Terms; problems: Problems } {
  const quantity = whole(fields.quantity, 1, 10_000)
  const trial = whole(fields.trialDays, 0, 730)
  const days = fields.by === byInvoice ? whole(fields.days, 0, 365) : 30
  const problems: Problems = {
    ...(fields.price === '' && { price: 'Choose a price' }),
    ...(typeof quantity === 'string' && { quantity }),
    ...(typeof trial === 'string' && { trialDays: trial }),
    ...(typeof days === 'string' && { days }),
  }
  if (typeof quantity === 'string' || typeof trial === 'string' || typeof days === 'string' || fields.price === '')
    return { problems }
  const collection = fields.by === byInvoice ? 'invoice' : 'card'
  return {
    problems,
    terms: {
      ...{ price: fields.price, quantity, trial_days: trial, collection, days_until_due: days },
      ...(fields.from !== '' && trial === 0 && { billing_anchor: fields.from }),
      ...(fields.coupon !== '' && { coupon: fields.coupon }),
      ...(fields.code !== '' && { promotion_code: fields.code }),
      ...(collection === 'card' && { payment_method: fields.by }),
    },
  }
}

/** When the first full invoice can be due: at once, or at the beginning of a month within the first period. */
export function fromChoices(plans: readonly Plan[], { price, trialDays }: SubscriptionFields, now: Date): Choice[] {
  const interval = plans.flatMap(({ prices }) => prices).find(({ id }) => id === price)?.interval
  // On the first of a month a whole period begins anyway.
  const isFirst = now.getUTCDate() === 1
  if (isFirst || trialDays.trim() !== '0' || (interval !== 'month' && interval !== 'year')) return []
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12)).toISOString()
  return [
    { value: '', label: 'Today' },
    { value: first.slice(0, 10), label: `${formatDate(first)}, in part until then` },
  ]
}

/** Prices that are offered, in the currency that the customer is billed in. */
export const priceChoices = (plans: readonly Plan[], currency: string | null): Choice[] =>
  plans
    .filter((plan) => plan.active)
    .flatMap((plan) =>
      plan.prices
        .filter(
          (price) =>
            price.active &&
            price.interval !== null &&
            price.usage_type !== 'metered' &&
            (currency === null || price.currency === currency),
        )
        .map((price) => ({ value: price.id, label: `${plan.name}: ${priceLabel(price)}` })),
    )

type Coupon = {
  coupon_id: string
  name: string | null
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  duration: string | null
}

const durations: Record<string, string> = { once: 'first invoice', forever: 'every invoice', repeating: 'some months' }

export const couponLabel = (coupon: Coupon): string => `${coupon.name ?? coupon.coupon_id} (${offLabel(coupon)})`

export const codeLabel = ({ code, ...coupon }: Coupon & { code: string }): string => `${code} (${offLabel(coupon)})`

/** `20% off, every invoice` */
function offLabel({ percent_off, amount_off, currency, duration }: Coupon): string {
  const off = percent_off === null ? formatMoney(amount_off ?? 0, currency ?? 'usd') : `${percent_off}%`
  const when = durations[duration ?? '']
  return `${off} off${when ? `, ${when}` : ''}`
}

export const methodLabel = (method: SavedMethod): string => cardName(method, methodWords(method.type) ?? 'Saved method')
