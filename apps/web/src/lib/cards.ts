type Card = { brand: string | null; last4: string | null; exp_month: number | null; exp_year: number | null }

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** As the issuer writes it; a brand that is not known here reads as the provider spells it. */
export const brandName = (brand: string): string => brands[brand] ?? brand

/** `Visa •••• 4242` */
export function cardName({ brand, last4 }: Pick<Card, 'brand' | 'last4'>, otherwise = 'Card'): string {
  const name = brand === null ? otherwise : brandName(brand)
  return last4 === null ? name : `${name} •••• ${last4}`
}

/** `12/2027`; null where it is not known. */
export const expiryOf = ({ exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>): string | null =>
  exp_month === null || exp_year === null ? null : `${exp_month}/${exp_year}`

const soonMs = 60 * 86_400_000

/** A card is good until its month is over. */
export function expiryState(
  { exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>,
  nowMs: number,
): 'good' | 'soon' | 'expired' | 'unknown' {
  if (exp_month === null || exp_year === null) return 'unknown'
  // Months of Date begin at 0, so this is the first day after.
  const endMs = Date.UTC(exp_year, exp_month, 1)
  if (endMs <= nowMs) return 'expired'
  return endMs - nowMs <= soonMs ? 'soon' : 'good'
}

/** `Visa •••• 4242, expires 12/2027` */
export function cardText(card: Card, nowMs: number): string {
  const expiry = expiryOf(card)
  if (expiry === null) return cardName(card)
  return `${cardName(card)}, ${expiryState(card, nowMs) === 'expired' ? 'expired' : 'expires'} ${expiry}`
}
