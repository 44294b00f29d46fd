import { day, periodBoundary } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { makeItem, makeSubscription } from '../objects/subscription.ts'
import type { Customer, InvoiceLine, Price, Private, Subscription, SubscriptionItem } from '../types.ts'
import { collectInvoice, scheduleIncomplete } from './collect.ts'
import { redeemCoupon } from './discounts.ts'
import { isMetered, itemLine } from './invoice-lines.ts'
import { draftInvoice, finalizeInvoice } from './invoices.ts'
import type { Redemption } from './promotions.ts'

export type NewSubscription = {
  customer: Customer
  items: { price: Price; quantity?: number }[]
  trialEnd?: number | null
  /** When full periods begin; until then the first one is charged in part. */
  anchor?: number | null
  coupons?: Redemption[]
  collectionMethod?: 'charge_automatically' | 'send_invoice'
  daysUntilDue?: number | null
  paymentMethod?: string | null
  description?: string | null
  metadata?: Record<string, string>
  cancelAtPeriodEnd?: boolean
  afterRetries?: Private['afterRetries']
  billingMode?: 'classic' | 'flexible'
}

const trialNoticeDays = 3

function buildSubscription(world: World, input: NewSubscription): Subscription {
  const id = world.newId('sub')
  const trialEnd = input.trialEnd ?? null
  const currency = input.items[0]?.price.currency ?? 'usd'
  const items = input.items.map(({ price, quantity }) =>
    makeItem({
      id: world.newId('si'),
      created: world.now,
      subscription: id,
      price,
      quantity: quantity ?? 1,
      periodStart: world.now,
      periodEnd: trialEnd ?? input.anchor ?? periodBoundary(world.now, price.recurring!, 1),
    }),
  )
  return makeSubscription({
    id,
    created: world.now,
    customer: input.customer.id,
    currency,
    items,
    status: trialEnd === null ? 'active' : 'trialing',
    anchor: trialEnd ?? input.anchor ?? world.now,
    trialStart: trialEnd === null ? null : world.now,
    trialEnd,
    collectionMethod: input.collectionMethod ?? 'charge_automatically',
    daysUntilDue: input.daysUntilDue ?? (input.collectionMethod === 'send_invoice' ? 30 : null),
    paymentMethod: input.paymentMethod ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    cancelAtPeriodEnd: input.cancelAtPeriodEnd ?? false,
    ...(input.billingMode && { billingMode: input.billingMode }),
  })
}

/** Starts a subscription: its first invoice is final at once, and an unpaid one leaves it incomplete. */
export async function startSubscription(world: World, input: NewSubscription): Promise<Subscription> {
  const subscription = buildSubscription(world, input)
  const priv: Private = input.afterRetries ? { afterRetries: input.afterRetries } : {}
  if (subscription.items.data.length === 0) throw new Error('A subscription needs an item')
  const firstEnd = Math.min(...subscription.items.data.map((item) => item.current_period_end))
  if (input.cancelAtPeriodEnd) subscription.cancel_at = firstEnd
  world.insert('subscription', subscription, { priv })
  for (const coupon of input.coupons ?? []) {
    const discount = await redeemCoupon(world, coupon, { customer: input.customer.id, subscription: subscription.id })
    await world.change('subscription', subscription.id, (draft) => void draft.discounts.push(discount.id), null)
  }
  if (!input.customer.currency) {
    await world.change('customer', input.customer.id, { currency: subscription.currency }, null)
  }
  world.emit('customer.subscription.created', 'subscription', await world.need('subscription', subscription.id))
  world.schedule('renew', subscription.id, firstEnd)
  if (subscription.trial_end !== null) {
    const notice = Math.max(world.now, subscription.trial_end - trialNoticeDays * day)
    world.schedule('trial_will_end', subscription.id, notice)
  }
  await firstInvoice(world, subscription.id)
  return await world.need('subscription', subscription.id)
}

/** How much of a whole period the first one is, which ends when full periods begin. */
function firstShare({ billing_cycle_anchor: anchor, trial_end }: Subscription, item: SubscriptionItem): number {
  const { current_period_start: start, current_period_end: end } = item
  if (anchor <= start || trial_end !== null) return 1
  return (end - start) / (end - periodBoundary(anchor, item.price.recurring!, -1))
}

async function firstInvoice(world: World, id: string): Promise<void> {
  const subscription = await world.need('subscription', id)
  const lines: InvoiceLine[] = []
  for (const item of subscription.items.data) {
    if (isMetered(item.price)) continue
    const period = { start: item.current_period_start, end: item.current_period_end }
    lines.push(await itemLine(world, subscription, item, period, { share: firstShare(subscription, item) }))
  }
  const draft = await draftInvoice(world, {
    customer: await world.need('customer', subscription.customer),
    subscription,
    currency: subscription.currency,
    reason: 'subscription_create',
    lines,
    period: { start: world.now, end: world.now },
  })
  const invoice = await finalizeInvoice(world, draft.id)
  if (invoice.status !== 'open' || invoice.collection_method !== 'charge_automatically') return
  const attempt = await collectInvoice(world, invoice.id)
  if (attempt === 'succeeded' || attempt === 'processing') return
  await world.change('subscription', id, { status: 'incomplete' }, 'customer.subscription.updated')
  scheduleIncomplete(world, id)
}
