import type { BodyOf } from '@agency/contract/endpoint'
import { type createPaymentLink, mostAdjustable, type PaymentLink } from '@agency/contract/payment-links'
import { fields, integer, text } from '../../integrations/stripe/fields.ts'
import { priceFor } from '../../integrations/stripe/price-amount.ts'
import { roundHalfEven } from '../../integrations/stripe/rational.ts'
import { AppError, invalidParameter, notFound } from '../../platform/errors.ts'
import type { SoldPrice } from './queries.ts'
import type { Line, Terms } from './words.ts'

export type LinkTerms = BodyOf<typeof createPaymentLink>

const usual = { minimum: 1, maximum: mostAdjustable }

/** What a price comes to, as the provider would put it into a link. */
export function lineOf({ raw }: Pick<SoldPrice, 'raw'>, quantity: number, isAdjustable = false): Line {
  const recurring = fields(raw['recurring'])
  const amount = priceFor({ price: raw, quantity }, new Map())
  return {
    quantity,
    unit: integer(raw['unit_amount']),
    amount: amount && Number(roundHalfEven(amount)),
    interval: text(recurring['interval']),
    interval_count: integer(recurring['interval_count']),
    is_metered: recurring['usage_type'] === 'metered',
    adjustable: isAdjustable ? usual : null,
  }
}

export const termsOf = (price: SoldPrice, terms: LinkTerms): Terms => ({
  currency: price.currency,
  trial_days: terms.trial_days > 0 ? terms.trial_days : null,
  allow_promotion_codes: terms.allow_promotion_codes,
  lines: [lineOf(price, terms.quantity, terms.adjustable_quantity)],
})

const refuse = (reason: string) =>
  new AppError('conflict', `${reason}. No payment link was created.`, { parameter: 'price' })

/** What the provider would refuse, said before it is asked. Answers what is sold. */
export function checkTerms(price: SoldPrice | undefined, terms: LinkTerms): SoldPrice {
  if (!price) throw notFound(`Price ${terms.price}`)
  const { interval, is_metered, amount } = lineOf(price, terms.quantity)
  if (!price.is_offered) throw refuse('Archived price: choose another one')
  if (is_metered) throw refuse('Usage-based prices cannot be sold by a link here: choose another one')
  if (amount === null) throw refuse('This price has no amount of its own: choose another one')
  if (terms.trial_days > 0 && interval === null) throw invalidParameter('trial_days', 'is only for a recurring price')
  if (terms.adjustable_quantity && terms.quantity > mostAdjustable)
    throw invalidParameter('quantity', `must be at most ${mostAdjustable} where customers can change it`)
  return price
}

/** Whether it was paid as often as it may be; what the provider did not count is not known to be used up. */
export const isUsedUp = (payments: PaymentLink['payments']): payments is { made: number; most: number } =>
  payments !== null && payments.made !== null && payments.made >= payments.most

/** Why a link cannot be switched on; null where it can, or is on. */
export const switchOnRefusal = ({ payments }: Pick<PaymentLink, 'payments'>): string | null =>
  isUsedUp(payments)
    ? `This link was paid ${payments.made} of ${payments.most} times: raise its limit at Stripe first`
    : null
