import { badValue, missingParameter, noSuch, refused } from '../../http/errors.ts'
import {
  bool,
  emptyable,
  hash,
  int,
  list,
  mergeMetadata,
  metadata,
  moment,
  oneOf,
  type Params,
  played,
  required,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, shown, writeRoute } from '../../http/route.ts'
import { day, periodBoundary } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { cancelAtPeriodEnd, isEnded } from '../rules/cancel.ts'
import { changeItems, type ItemChange } from '../rules/change-items.ts'
import { type Buyer, mustBeRedeemable, type Redemption, redemptionOf } from '../rules/promotions.ts'
import { cancelAt, moveTrialEnd, pauseCollection, replaceDiscounts } from '../rules/settings.ts'
import { startSubscription } from '../rules/subscribe.ts'
import type { Price, Subscription } from '../types.ts'
import { declined } from './declined.ts'
import { details } from './subscriptions.ts'

const discount = hash({ coupon: str(), discount: str(), promotion_code: str() })
/** Of what is not there yet no discount can stay. */
export const newDiscounts = emptyable(list(hash({ coupon: str(), discount: unsupported(), promotion_code: str() })))

const settings = {
  add_invoice_items: unsupported(),
  automatic_tax: unsupported(),
  cancel_at_period_end: bool(),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  days_until_due: int(0),
  default_payment_method: str(),
  description: emptyable(str(500)),
  discounts: emptyable(list(discount)),
  metadata: metadata(),
  // Nobody is there to act when the sandbox charges a card.
  off_session: played('true'),
  payment_behavior: played('allow_incomplete', 'error_if_incomplete'),
  payment_settings: unsupported(),
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  trial_end: moment('now'),
  trial_settings: unsupported(),
}

const createShape = {
  ...settings,
  discounts: newDiscounts,
  cancel_at: unsupported(),
  currency: unsupported(),
  customer: required(str()),
  items: required(list(hash({ price: required(str()), quantity: int(0), metadata: unsupported() }))),
  trial_period_days: int(1),
  billing_mode: hash({ flexible: unsupported(), type: required(oneOf('classic', 'flexible')) }),
  billing_cycle_anchor: int(0),
  proration_behavior: played('create_prorations'),
}

const itemChange = hash({ id: str(), price: str(), quantity: int(0), deleted: bool(), metadata: unsupported() })
export const itemChanges = list(itemChange)
type ItemChangeParams = Params<{ items: typeof itemChanges }>['items']

const updateShape = {
  ...settings,
  cancel_at: emptyable(moment('min_period_end', 'max_period_end')),
  cancellation_details: details,
  items: itemChanges,
  pause_collection: emptyable(
    hash({ behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')), resumes_at: int(0) }),
  ),
  proration_date: int(0),
  billing_cycle_anchor: unsupported(),
}
type UpdateParams = Params<typeof updateShape>

async function priceNamed(world: World, id: string, param: string): Promise<Price> {
  const price = await world.get('price', id)
  if (!price) throw noSuch('price', id, param, 400)
  if (!price.active) throw refused(`The price specified is inactive. This field only accepts active prices.`)
  if (!price.recurring) {
    throw badValue(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    )
  }
  return price
}

type Discounts = Params<{ d: typeof discount }>['d'][] | null | undefined

/** What is redeemed for a customer; refuses what cannot be. */
export async function redemptionsOf(world: World, discounts: Discounts, buyer: Buyer): Promise<Redemption[]> {
  const redemptions: Redemption[] = []
  for (const [index, each] of (discounts ?? []).entries()) {
    const redemption = await redemptionOf(world, each ?? {}, `discounts[${index}]`)
    if (!redemption) continue
    await mustBeRedeemable(world, redemption, buyer, `discounts[${index}]`)
    redemptions.push(redemption)
  }
  return redemptions
}

type Named = { price?: string | undefined; quantity?: number | undefined }

/** Items of a subscription that is not there yet. */
export async function namedItems(world: World, named: readonly Named[], within?: string) {
  const items = []
  for (const [index, { price, quantity }] of named.entries()) {
    const param = within ? `${within}[items][${index}][price]` : `items[${index}][price]`
    if (!price) throw missingParameter(param)
    items.push({ price: await priceNamed(world, price, param), quantity: quantity ?? 1 })
  }
  if (items.length === 0) throw badValue('A subscription needs at least one item.', 'items')
  if (new Set(items.map(({ price }) => price.currency)).size > 1) {
    throw refused('All prices on a subscription must have the same currency.')
  }
  return items
}

const isMixed = (prices: readonly Price[]): boolean =>
  new Set(prices.map(({ recurring }) => `${recurring?.interval_count} ${recurring?.interval}`)).size > 1

/** https://docs.stripe.com/billing/subscriptions/mixed-interval */
function mustShareInterval(mode: string, items: readonly { price: Price }[]): void {
  if (mode !== 'classic' || !isMixed(items.map(({ price }) => price))) return
  throw refused(
    'Currently, all prices on a subscription must have the same `recurring.interval` and `recurring.interval_count`. If you need to have multiple recurring prices with different intervals, you can create multiple subscriptions.',
    undefined,
    'items',
  )
}

/** A change never makes the intervals of one subscription differ; of several items at once nothing is known before. */
function mustKeepInterval({ billing_mode, items }: Subscription, changed: string | undefined, price: Price): void {
  const others = items.data.filter(({ id }) => id !== changed)
  if (!isMixed([price, ...others.map((item) => item.price)])) return
  mustShareInterval(billing_mode.type, [{ price }, ...others])
  throw badValue('The sandbox mixes the intervals of new subscriptions only.', 'items', 'sandbox_unsupported')
}

async function checkMethod(world: World, customer: string, id: string | undefined): Promise<void> {
  if (id === undefined) return
  const method = await world.get('payment_method', id)
  if (method?.customer !== customer) throw noSuch('payment_method', id, 'default_payment_method', 400)
}

async function checkCurrency(world: World, customer: string, items: { price: Price }[]): Promise<void> {
  const running = (await world.find('subscription', { customer })).find((each) => !isEnded(each))
  if (!running || running.currency === items[0]?.price.currency) return
  throw refused(
    `You cannot combine currencies on a single customer. This customer has an active subscription with currency ${running.currency}.`,
  )
}

async function create(world: World, params: Params<typeof createShape>): Promise<Subscription> {
  const customer = await world.get('customer', params.customer)
  if (!customer) throw noSuch('customer', params.customer, 'customer', 400)
  const items = await namedItems(world, params.items)
  const billingMode = params.billing_mode?.type ?? 'flexible'
  mustShareInterval(billingMode, items)
  await checkCurrency(world, customer.id, items)
  await checkMethod(world, customer.id, params.default_payment_method)
  const method = params.default_payment_method ?? customer.invoice_settings.default_payment_method
  const charges = params.collection_method !== 'send_invoice' && trialEndOf(world, params) === null
  if (charges && !method) {
    throw refused(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      'resource_missing',
    )
  }
  const made = await startSubscription(world, {
    customer,
    items,
    trialEnd: trialEndOf(world, params),
    anchor: anchorOf(world, items, params.billing_cycle_anchor, trialEndOf(world, params)),
    coupons: await redemptionsOf(world, params.discounts, { customer: customer.id, items }),
    collectionMethod: params.collection_method ?? 'charge_automatically',
    daysUntilDue: params.days_until_due ?? null,
    paymentMethod: params.default_payment_method ?? null,
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
    cancelAtPeriodEnd: params.cancel_at_period_end ?? false,
    billingMode,
  })
  if (params.payment_behavior === 'error_if_incomplete' && made.status === 'incomplete' && made.latest_invoice)
    throw await declined(world, made.latest_invoice, 'subscription')
  return made
}

/** https://docs.stripe.com/billing/subscriptions/billing-cycle */
export function anchorOf(
  world: World,
  items: readonly { price: Price }[],
  anchor: number | undefined,
  trialEnd: number | null,
): number | null {
  if (anchor === undefined) return null
  if (trialEnd !== null) throw badValue('The sandbox anchors no subscription with a trial.', 'billing_cycle_anchor')
  if (anchor <= world.now)
    throw refused('`billing_cycle_anchor` must be a timestamp in the future', undefined, 'billing_cycle_anchor')
  const natural = Math.min(...items.map(({ price }) => periodBoundary(world.now, price.recurring!, 1)))
  if (anchor > natural)
    throw refused(
      '`billing_cycle_anchor` cannot be later than next natural billing date',
      undefined,
      'billing_cycle_anchor',
    )
  return anchor
}

function trialEndOf(world: World, params: Params<typeof createShape>): number | null {
  if (params.trial_period_days) return world.now + params.trial_period_days * day
  return typeof params.trial_end === 'number' ? params.trial_end : null
}

export async function asItemChanges(world: World, subscription: Subscription, items: ItemChangeParams) {
  const changes: ItemChange[] = []
  for (const [index, item] of (items ?? []).entries()) {
    if (item.id && !subscription.items.data.some(({ id }) => id === item.id)) {
      throw noSuch('subscription item', item.id, `items[${index}][id]`, 400)
    }
    const price = item.price ? await priceNamed(world, item.price, `items[${index}][price]`) : undefined
    if (price && price.currency !== subscription.currency) {
      throw refused(
        `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${subscription.currency}\`.`,
      )
    }
    if (price) mustKeepInterval(subscription, item.id, price)
    changes.push({
      ...(item.id ? { id: item.id } : {}),
      ...(price ? { price } : {}),
      ...(item.quantity === undefined ? {} : { quantity: item.quantity }),
      ...(item.deleted ? { deleted: true } : {}),
    })
  }
  return changes
}

function applyPlain(draft: Subscription, params: UpdateParams): void {
  draft.metadata = mergeMetadata(draft.metadata, params.metadata)
  if (params.description !== undefined) draft.description = params.description
  if (params.collection_method) draft.collection_method = params.collection_method
  if (params.days_until_due !== undefined) draft.days_until_due = params.days_until_due
  if (params.default_payment_method) draft.default_payment_method = params.default_payment_method
  const { comment, feedback } = params.cancellation_details ?? {}
  if (draft.cancellation_details && comment !== undefined) draft.cancellation_details.comment = comment
  if (draft.cancellation_details && feedback !== undefined) draft.cancellation_details.feedback = feedback
}

const allowedAfterEnd = new Set(['metadata', 'cancellation_details'])

async function update(world: World, id: string, params: UpdateParams): Promise<Subscription> {
  const before = await world.get('subscription', id)
  if (!before) throw noSuch('subscription', id)
  if (isEnded(before) && Object.keys(params).some((key) => !allowedAfterEnd.has(key))) {
    throw refused('A canceled subscription can only update its cancellation_details and metadata.')
  }
  await redemptionsOf(world, params.discounts, { customer: before.customer })
  await world.change('subscription', id, (draft) => applyPlain(draft, params), 'customer.subscription.updated')
  if (params.items) {
    const changes = await asItemChanges(world, before, params.items)
    await changeItems(world, id, changes, params.proration_behavior ?? 'create_prorations', params.proration_date)
    if (params.payment_behavior === 'error_if_incomplete') await mustBePaid(world, before, id)
  }
  if (params.discounts !== undefined) await replaceDiscounts(world, id, params.discounts ?? [])
  if (params.cancel_at_period_end !== undefined && params.cancel_at_period_end !== before.cancel_at_period_end) {
    await cancelAtPeriodEnd(world, id, params.cancel_at_period_end, params.cancellation_details ?? {})
  }
  if (params.cancel_at !== undefined) await cancelAt(world, id, cancelMoment(before, params.cancel_at))
  if (params.pause_collection !== undefined) {
    const pause = params.pause_collection
    await pauseCollection(world, id, pause && { behavior: pause.behavior, resumesAt: pause.resumes_at ?? null })
  }
  if (params.trial_end !== undefined) await moveTrialEnd(world, id, params.trial_end as number | 'now')
  return await world.need('subscription', id)
}

/** What was billed for the change could not be collected: then nothing of it is kept. */
async function mustBePaid(world: World, before: Subscription, id: string): Promise<void> {
  const { latest_invoice: invoiceId } = await world.need('subscription', id)
  if (!invoiceId || invoiceId === before.latest_invoice) return
  const invoice = await world.need('invoice', invoiceId)
  if (invoice.status === 'open' && invoice.collection_method === 'charge_automatically') {
    throw await declined(world, invoiceId, 'subscription')
  }
}

function cancelMoment({ items }: Subscription, at: number | string | null): number | null {
  const ends = items.data.map((item) => item.current_period_end)
  if (at === 'min_period_end') return Math.min(...ends)
  if (at === 'max_period_end') return Math.max(...ends)
  return at as number | null
}

export const subscriptionWrites: Route[] = [
  writeRoute(
    { name: 'subscriptions.create', path: '/v1/subscriptions', kind: 'subscription', shape: createShape },
    async ({ world, params }) => shown('subscription', await create(world, params)),
  ),
  writeRoute(
    { name: 'subscriptions.update', path: '/v1/subscriptions/:id', kind: 'subscription', shape: updateShape },
    async ({ world, id, params }) => shown('subscription', await update(world, id, params)),
  ),
]
