import { type Fields, fields, idOf, text } from '../../integrations/stripe/fields.ts'

export type Story =
  | 'sent'
  | 'payment_failed'
  | 'plan_changed'
  | 'quantity_changed'
  | 'paused'
  | 'resumed'
  | 'cancel_scheduled'
  | 'cancel_undone'
  | 'active'
  | 'past_due'
  | 'unpaid'

/** What only an event says and no object remembers, for the history of a customer. */
export interface Moment {
  kind: 'invoice' | 'subscription'
  customer_id: string
  object_id: string
  stories: Story[]
  amount: number | null
  currency: string | null
  /** The prices before and after a change of plan. */
  from_price: string | null
  to_price: string | null
}

/** An object after an event, and the fields of it that the event changed as they were before. */
type Change = { before: Fields; now: Fields }

const storiesOf: Readonly<Record<string, (change: Change) => Story[]>> = {
  'invoice.sent': () => ['sent'],
  'invoice.payment_failed': () => ['payment_failed'],
  'customer.subscription.paused': () => ['paused'],
  'customer.subscription.resumed': () => ['resumed'],
  'customer.subscription.updated': subscriptionStories,
}

/** What an event means for its customer's history; null when it adds nothing to it. */
export function momentOf({ type, payload }: { type: string; payload: unknown }): Moment | null {
  const data = fields(fields(payload)['data'])
  const change = { before: fields(data['previous_attributes']), now: fields(data['object']) }
  const customer = idOf(change.now['customer'])
  const object = text(change.now['id'])
  const stories = Object.hasOwn(storiesOf, type) ? (storiesOf[type]?.(change) ?? []) : []
  if (!customer || !object || stories.length === 0) return null
  const isInvoice = type.startsWith('invoice.')
  const amount = change.now['amount_due']
  return {
    kind: isInvoice ? 'invoice' : 'subscription',
    customer_id: customer,
    object_id: object,
    stories,
    amount: isInvoice && typeof amount === 'number' ? amount : null,
    currency: isInvoice ? text(change.now['currency']) : null,
    ...pricesOfChange(change, stories),
  }
}

/** A change of several prices at once is shown without their names. */
function pricesOfChange({ before, now }: Change, stories: Story[]): Pick<Moment, 'from_price' | 'to_price'> {
  const [old, current] = [itemsOf(before), itemsOf(now)]
  if (!stories.includes('plan_changed') || old.length !== 1 || current.length !== 1)
    return { from_price: null, to_price: null }
  return { from_price: old[0]?.price ?? null, to_price: current[0]?.price ?? null }
}

function subscriptionStories(change: Change): Story[] {
  const rules = [itemsStory, pauseStory, cancellationStory, statusStory]
  return rules.map((rule) => rule(change)).filter((story) => story !== null)
}

/** A renewal changes the items too, but neither their prices nor their quantities. */
function itemsStory({ before, now }: Change): Story | null {
  if (!Object.hasOwn(before, 'items')) return null
  const [old, current] = [itemsOf(before), itemsOf(now)]
  const differ = (name: 'price' | 'quantity') =>
    JSON.stringify(old.map((item) => item[name])) !== JSON.stringify(current.map((item) => item[name]))
  if (differ('price')) return 'plan_changed'
  return differ('quantity') ? 'quantity_changed' : null
}

function pauseStory({ before, now }: Change): Story | null {
  if (!Object.hasOwn(before, 'pause_collection')) return null
  const pause = now['pause_collection']
  const isPaused = typeof pause === 'object' && pause !== null && !Array.isArray(pause)
  if (!isPaused) return 'resumed'
  return before['pause_collection'] === null ? 'paused' : null
}

/** The end itself is a date of the subscription, so a cancellation that ends it at once is not a story. */
function cancellationStory({ before, now }: Change): Story | null {
  if (now['status'] === 'canceled') return null
  const [wasDue, isDue] = [before['cancel_at_period_end'], now['cancel_at_period_end']]
  const [oldDate, date] = [before['cancel_at'], now['cancel_at']]
  if (wasDue === false && isDue === true) return 'cancel_scheduled'
  if (wasDue === true && isDue === false && date === null) return 'cancel_undone'
  if (oldDate === null && typeof date === 'number') return 'cancel_scheduled'
  return typeof oldDate === 'number' && date === null ? 'cancel_undone' : null
}

function statusStory({ before, now }: Change): Story | null {
  const { status } = now
  if (!Object.hasOwn(before, 'status')) return null
  return status === 'active' || status === 'past_due' || status === 'unpaid' ? status : null
}

type Item = { price: string | null; quantity: unknown }

/** By price, because the provider promises no order. */
function itemsOf(subscription: Fields): Item[] {
  const data = fields(subscription['items'])['data']
  const items = Array.isArray(data) ? data.map(fields) : []
  return items
    .map((item) => ({ price: text(fields(item['price'])['id']), quantity: item['quantity'] ?? null }))
    .sort((a, b) => ((a.price ?? '') < (b.price ?? '') ? -1 : Number(a.price !== b.price)))
}
