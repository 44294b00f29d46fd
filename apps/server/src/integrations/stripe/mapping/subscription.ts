import {
  createdAt,
  currencyOf,
  type Fields,
  fields,
  idOf,
  instant,
  integer,
  items,
  metadataOf,
  needed,
  neededFlag,
  text,
} from '../fields.ts'
import { computeMrr, type MrrInputs } from '../mrr.ts'
import { priceFor } from '../price-amount.ts'
import { add, roundHalfEven, zero } from '../rational.ts'

export type SubscriptionRow = {
  id: string
  customer_id: string
  status: string
  stripe_status: string
  currency: string
  /** null: the provider did not say what one of the items costs. */
  amount: number | null
  mrr: string
  mrr_known: boolean
  mrr_running: string
  mrr_changes_at: string | null
  mrr_depends_on: string[]
  price_id: string | null
  product_id: string | null
  plan_nickname: string | null
  more_items: number
  billing_period: 'monthly' | 'yearly' | null
  interval: string | null
  interval_count: number | null
  current_period_start: string | null
  current_period_end: string | null
  periods_differ: boolean
  created_at: string
  running_from: string | null
  trial_end: string | null
  cancel_at: string | null
  cancel_at_period_end: boolean
  cancelled_at: string | null
  ended_at: string | null
  pause_collection: string | null
  metadata: Record<string, string>
}

const statuses: Record<string, string> = {
  active: 'active',
  trialing: 'trialing',
  past_due: 'past_due',
  canceled: 'cancelled',
  unpaid: 'unpaid',
  incomplete: 'incomplete',
  incomplete_expired: 'cancelled',
  paused: 'paused',
}

/** Our word for the provider's; a status that we do not know keeps its own beside it. */
export const statusOf = (stripeStatus: string): string =>
  Object.hasOwn(statuses, stripeStatus) ? (statuses[stripeStatus] as string) : 'unknown'

const aYear: Record<string, number> = { year: 1, month: 12, week: 52, day: 365 }

export function billingPeriodOf(interval: string | null, count: number | null): 'monthly' | 'yearly' | null {
  if (interval === null || count === null || !Object.hasOwn(aYear, interval)) return null
  return count >= (aYear[interval] as number) ? 'yearly' : 'monthly'
}

type Periods = { start: number | null; end: number | null; differ: boolean }

function periodsOf(lines: Fields[]): Periods {
  const starts = lines.map((item) => integer(item['current_period_start'])).filter((value) => value !== null)
  const ends = lines.map((item) => integer(item['current_period_end'])).filter((value) => value !== null)
  return {
    start: starts.length > 0 ? Math.min(...starts) : null,
    end: ends.length > 0 ? Math.min(...ends) : null,
    differ: new Set(ends).size > 1,
  }
}

/** The end of its trial, or its start; null when it never got that far. */
function runningFrom(object: Fields): number | null {
  const status = object['status']
  if (status === 'incomplete' || status === 'incomplete_expired' || status === 'trialing') return null
  const trialEnd = integer(object['trial_end'])
  // A trial that ends without a way to pay pauses the subscription: it never ran.
  if (status === 'paused' && trialEnd !== null) return null
  const start = trialEnd ?? integer(object['start_date']) ?? integer(object['created'])
  const ended = integer(object['ended_at'])
  return start !== null && ended !== null && ended <= start ? null : start
}

function amountOf(lines: Fields[], inputs: MrrInputs): number | null {
  let sum = zero
  for (const item of lines) {
    const price = priceFor(item, inputs.prices)
    if (price === null) return null
    sum = add(sum, price)
  }
  return lines.length === 0 ? null : Number(roundHalfEven(sum))
}

/** `at` in Unix seconds: discounts and trials of items end with time. */
export function toSubscription(object: Fields, inputs: MrrInputs, at: number): SubscriptionRow {
  const lines = items(object['items'])
  const price = fields(lines[0]?.['price'])
  const recurring = fields(price['recurring'])
  const interval = text(recurring['interval'])
  const intervalCount = integer(recurring['interval_count'])
  const periods = periodsOf(lines)
  const stripeStatus = text(object['status']) ?? 'unknown'
  const mrr = computeMrr(object, inputs, at)
  return {
    id: String(object['id']),
    customer_id: needed(idOf(object['customer']), 'its customer'),
    status: statusOf(stripeStatus),
    stripe_status: stripeStatus,
    currency: text(object['currency']) ?? currencyOf(price),
    amount: amountOf(lines, inputs),
    mrr: mrr.mrr,
    mrr_known: mrr.isKnown,
    mrr_running: mrr.running,
    mrr_changes_at: instant(mrr.changesAt),
    mrr_depends_on: mrr.dependsOn,
    price_id: idOf(price),
    product_id: idOf(price['product']),
    plan_nickname: text(price['nickname']),
    more_items: Math.max(0, lines.length - 1),
    billing_period: billingPeriodOf(interval, intervalCount),
    interval,
    interval_count: intervalCount,
    current_period_start: instant(periods.start),
    current_period_end: instant(periods.end),
    periods_differ: periods.differ,
    created_at: createdAt(object),
    running_from: instant(runningFrom(object)),
    trial_end: instant(object['trial_end']),
    cancel_at: instant(object['cancel_at']),
    cancel_at_period_end: neededFlag(object, 'cancel_at_period_end'),
    cancelled_at: instant(object['canceled_at']),
    ended_at: instant(object['ended_at']),
    pause_collection: text(fields(object['pause_collection'])['behavior']),
    metadata: metadataOf(object),
  }
}
