import { cancelAtPeriodEnd, cancelSubscription } from '../stripe/rules/cancel.ts'
import { type Behavior, changeItems } from '../stripe/rules/change-items.ts'
import { redeemCoupon } from '../stripe/rules/discounts.ts'
import { closeDispute, openDispute, submitEvidence } from '../stripe/rules/disputes.ts'
import { refundCharge } from '../stripe/rules/refunds.ts'
import { type NewSubscription, startSubscription } from '../stripe/rules/subscribe.ts'
import type { Charge, Private } from '../stripe/types.ts'
import { day } from '../world/periods.ts'
import { customerOf, type Plot, priceOf, type Scene, stage } from './plot.ts'

export type SubscribeOptions = {
  items: { price: string; quantity?: number }[]
  trialDays?: number
  coupons?: string[]
  byInvoice?: boolean
  metadata?: Record<string, string>
  description?: string
  afterRetries?: Private['afterRetries']
}

export function subscribe(plot: Plot, at: number, options: SubscribeOptions): void {
  stage(plot, at, async (scene) => {
    const { world } = scene
    const input: NewSubscription = {
      customer: await customerOf(scene),
      items: options.items.map(({ price, quantity }) => ({ price: priceOf(scene, price), quantity: quantity ?? 1 })),
      trialEnd: options.trialDays ? world.now + options.trialDays * day : null,
      coupons: (options.coupons ?? []).map((coupon) => ({ coupon })),
      metadata: options.metadata ?? {},
      description: options.description ?? null,
      ...(options.byInvoice ? { collectionMethod: 'send_invoice' as const, daysUntilDue: 30 } : {}),
      ...(options.afterRetries ? { afterRetries: options.afterRetries } : {}),
    }
    const subscription = await startSubscription(world, input)
    scene.subscriptions.push(subscription.id)
  })
}

const current = (scene: Scene) => {
  const id = scene.subscriptions.at(-1)
  if (!id) throw new Error('There is no subscription to act on')
  return scene.world.need('subscription', id)
}

export function switchTo(plot: Plot, at: number, price: string, behavior: Behavior = 'create_prorations'): void {
  stage(plot, at, async (scene) => {
    const subscription = await current(scene)
    const [item] = subscription.items.data
    if (!item || subscription.ended_at !== null) return
    await changeItems(scene.world, subscription.id, [{ id: item.id, price: priceOf(scene, price) }], behavior)
  })
}

export function setQuantity(plot: Plot, at: number, quantity: number): void {
  stage(plot, at, async (scene) => {
    const subscription = await current(scene)
    const [item] = subscription.items.data
    if (item) await changeItems(scene.world, subscription.id, [{ id: item.id, quantity }], 'create_prorations')
  })
}

export function cancelNow(plot: Plot, at: number, feedback: string, comment: string | null = null): void {
  stage(plot, at, async (scene) => {
    const { id } = await current(scene)
    await cancelSubscription(scene.world, id, { reason: 'cancellation_requested', feedback, comment })
  })
}

export function cancelAtEnd(plot: Plot, at: number, feedback: string | null = null): void {
  stage(plot, at, async (scene) => {
    const { id } = await current(scene)
    await cancelAtPeriodEnd(scene.world, id, true, { feedback })
  })
}

export function pauseCollection(plot: Plot, at: number, behavior: string, resumesAt: number | null = null): void {
  stage(plot, at, async (scene) => {
    const { id } = await current(scene)
    await scene.world.change(
      'subscription',
      id,
      { pause_collection: { behavior, resumes_at: resumesAt } },
      'customer.subscription.updated',
    )
    if (resumesAt !== null) scene.world.schedule('resume', id, resumesAt)
  })
}

export function itemDiscount(plot: Plot, at: number, coupon: string): void {
  stage(plot, at, async (scene) => {
    const subscription = await current(scene)
    const item = subscription.items.data[0]
    if (!item) return
    const target = { customer: subscription.customer, subscription: subscription.id, item: item.id }
    const discount = await redeemCoupon(scene.world, { coupon }, target)
    await scene.world.change(
      'subscription',
      subscription.id,
      (draft) => void draft.items.data[0]?.discounts.push(discount.id),
      'customer.subscription.updated',
    )
  })
}

async function lastPaid(scene: Scene): Promise<Charge | undefined> {
  const charges = await scene.world.find('charge', { customer: scene.customerId, tag: 'succeeded' })
  return charges.filter(({ refunded, disputed, amount }) => !refunded && !disputed && amount > 0).at(-1)
}

export type RefundOptions = { share?: number; reason?: string; outcome?: NonNullable<Private['refundOutcome']> }

/** Gives a share of the newest payment back; all of what is left when no share is named. */
export function refundLast(plot: Plot, at: number, options: RefundOptions = {}): void {
  stage(plot, at, async (scene) => {
    const charge = await lastPaid(scene)
    if (!charge) return
    const left = charge.amount - charge.amount_refunded
    const amount = options.share ? Math.min(left, Math.round(charge.amount * options.share)) : left
    if (options.outcome) await scene.world.setPriv('customer', scene.customerId, { refundOutcome: options.outcome })
    await refundCharge(scene.world, { charge, amount, reason: options.reason ?? 'requested_by_customer' })
  })
}

export function disputeLast(plot: Plot, at: number, reason: string, outcome: 'won' | 'lost' | null): void {
  stage(plot, at, async (scene) => {
    const charge = await lastPaid(scene)
    if (!charge) return
    const dispute = await openDispute(scene.world, charge, reason)
    if (outcome === 'won') await submitEvidence(scene.world, dispute.id)
  })
  if (outcome === null) return
  stage(plot, at + 11 * day, async (scene) => {
    // While the history is written, a world holds one customer only.
    for (const dispute of await scene.world.find('dispute', {})) await closeDispute(scene.world, dispute.id, outcome)
  })
}

/** A discount of the customer counts for subscriptions that have none of their own. */
export function customerDiscount(plot: Plot, at: number, coupon: string): void {
  stage(plot, at, async ({ world, customerId }) => {
    const discount = await redeemCoupon(world, { coupon }, { customer: customerId, subscription: null })
    await world.change('customer', customerId, { discount }, 'customer.updated')
  })
}
