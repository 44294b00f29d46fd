import { AppError, invalidParameter, notFound } from '../../platform/errors.ts'
import { periodAfter } from '../billing/index.ts'
import type { OfferedCode, OfferedCoupon, OfferedPrice, Subscriber } from './queries.ts'

/** Why a customer cannot get a subscription; null when nothing speaks against it. */
export const subscriberRefusal = ({ isDeleted }: Pick<Subscriber, 'isDeleted'>): string | null =>
  isDeleted ? 'The customer was deleted at Stripe' : null

export type Terms = {
  price: string
  quantity: number
  trial_days: number
  billing_anchor?: string | undefined
  coupon?: string | undefined
  promotion_code?: string | undefined
  collection: 'card' | 'invoice'
  payment_method?: string | undefined
  days_until_due: number
}

/** What can be redeemed for the customer. */
type Redeemable = { coupons: readonly OfferedCoupon[]; codes: readonly OfferedCode[] }

const refuse = (reason: string) => new AppError('conflict', `${reason}. No subscription was created.`)

/**
 * When full periods begin, in seconds; undefined when they begin at once. It lies ahead, and within the first period.
 * https://docs.stripe.com/billing/subscriptions/billing-cycle
 */
export function anchorOf(
  { interval, interval_count }: Pick<OfferedPrice, 'interval' | 'interval_count'>,
  { billing_anchor: day, trial_days }: Pick<Terms, 'billing_anchor' | 'trial_days'>,
  now: number,
): number | undefined {
  if (day === undefined) return undefined
  if (trial_days > 0) throw invalidParameter('billing_anchor', 'cannot be combined with a trial')
  // At noon it is that day nearly everywhere.
  const anchor = Date.parse(`${day}T12:00:00Z`) / 1000
  if (anchor <= now) throw invalidParameter('billing_anchor', 'must be after today')
  if (anchor > periodAfter(now, { interval, interval_count }))
    throw invalidParameter('billing_anchor', 'must be before the first period would end')
  return anchor
}

/** What the provider would refuse, said before it is asked. Answers what the plan is called. */
export function checkTerms(
  subscriber: Subscriber,
  price: OfferedPrice | undefined,
  redeemable: Redeemable,
  terms: Terms,
): OfferedPrice {
  const refusal = subscriberRefusal(subscriber)
  if (refusal) throw refuse(refusal)
  if (!price) throw notFound(`Price ${terms.price}`)
  if (price.type !== 'recurring') throw refuse('One-time price: choose a recurring one')
  if (!price.isOffered) throw refuse('Archived price: choose another one')
  if (price.usage_type === 'metered') throw refuse('Usage-based prices cannot be started here')
  if (subscriber.currency && subscriber.currency !== price.currency)
    throw refuse(
      `The customer's subscriptions are in ${subscriber.currency.toUpperCase()}: choose a price in that currency`,
    )
  checkDiscount(price, redeemable, terms)
  if (terms.collection === 'card' && terms.payment_method === undefined)
    throw invalidParameter('payment_method', 'is required: it is what is charged')
  if (terms.collection === 'invoice' && !subscriber.email)
    throw refuse('The customer has no email address: add one first')
  return price
}

function checkDiscount(price: OfferedPrice, { coupons, codes }: Redeemable, { coupon, promotion_code }: Terms): void {
  if (coupon === undefined && promotion_code === undefined) return
  if (coupon !== undefined && promotion_code !== undefined)
    throw invalidParameter('promotion_code', 'cannot be combined with a coupon')
  const found =
    coupon === undefined
      ? codes.find(({ id }) => id === promotion_code)
      : coupons.find(({ coupon_id }) => coupon_id === coupon)
  const what = coupon === undefined ? 'This promotion code' : 'This coupon'
  if (!found) throw refuse(`${what} can no longer be redeemed`)
  if (found.currency !== null && found.currency !== price.currency)
    throw refuse(`${what} is in ${found.currency.toUpperCase()}: choose another one`)
}
