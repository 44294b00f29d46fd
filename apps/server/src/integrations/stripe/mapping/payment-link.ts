import { currencyOf, type Fields, fields, flag, idOf, integer, items, neededFlag, text } from '../fields.ts'

/** Only what cannot change without the link: a price keeps its amount and interval for good. */
export type LinkItem = {
  price: string | null
  product: string | null
  quantity: number | null
  /** Of one of them; null where that is no whole amount, or not the same for each. */
  unit: number | null
  /** Of the whole quantity, for one period; null where the customer decides. */
  amount: number | null
  /** null: paid once. */
  interval: string | null
  interval_count: number | null
  is_metered: boolean
  adjustable: { minimum: number; maximum: number } | null
}

export type PaymentLinkRow = {
  id: string
  url: string | null
  active: boolean
  currency: string
  allow_promotion_codes: boolean
  trial_days: number | null
  completed_sessions: number | null
  most_sessions: number | null
  items: LinkItem[]
}

/** What the provider takes where nothing was said. https://docs.stripe.com/api/payment-link/create */
const usual = { minimum: 0, maximum: 99 }

function adjustableOf(value: unknown): LinkItem['adjustable'] {
  const rule = fields(value)
  if (!flag(rule['enabled'])) return null
  return {
    minimum: integer(rule['minimum']) ?? usual.minimum,
    maximum: integer(rule['maximum']) ?? usual.maximum,
  }
}

function toItem(item: Fields): LinkItem {
  const price = fields(item['price'])
  const recurring = fields(price['recurring'])
  const isChosen = (price['custom_unit_amount'] ?? null) !== null
  return {
    price: idOf(item['price']),
    product: idOf(price['product']),
    quantity: integer(item['quantity']),
    unit: integer(price['unit_amount']),
    amount: isChosen ? null : integer(item['amount_subtotal']),
    interval: text(recurring['interval']),
    interval_count: integer(recurring['interval_count']),
    is_metered: recurring['usage_type'] === 'metered',
    adjustable: adjustableOf(item['adjustable_quantity']),
  }
}

export function toPaymentLink(object: Fields): PaymentLinkRow {
  const { count, limit } = fields(fields(object['restrictions'])['completed_sessions'])
  const most = integer(limit)
  return {
    id: String(object['id']),
    url: text(object['url']),
    active: neededFlag(object, 'active'),
    currency: currencyOf(object),
    allow_promotion_codes: flag(object['allow_promotion_codes']),
    trial_days: integer(fields(object['subscription_data'])['trial_period_days']),
    completed_sessions: most === null ? null : (integer(count) ?? 0),
    most_sessions: most,
    items: items(object['line_items']).map(toItem),
  }
}
