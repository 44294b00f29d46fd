import type { World } from '../../world/world.ts'
import type { Subscription } from '../types.ts'
import { redeemCoupon } from './discounts.ts'
import { redemptionOf } from './promotions.ts'
import { periodEnd, renewSubscription } from './renew.ts'

/** Moves the end of a trial: later, sooner, or to now, which bills at once. */
export async function moveTrialEnd(world: World, id: string, end: number | 'now'): Promise<Subscription> {
  const at = end === 'now' ? world.now : end
  await world.change(
    'subscription',
    id,
    (draft) => {
      draft.trial_start ??= world.now
      draft.trial_end = at
      draft.billing_cycle_anchor = at
      if (at > world.now) draft.status = 'trialing'
      for (const item of draft.items.data) item.current_period_end = at
    },
    at > world.now ? 'customer.subscription.updated' : null,
  )
  if (at > world.now) world.schedule('renew', id, at)
  else await renewSubscription(world, id)
  return await world.need('subscription', id)
}

export type DiscountChange = {
  coupon?: string | undefined
  discount?: string | undefined
  promotion_code?: string | undefined
}

/** Replaces the discounts: named ones stay, coupons are redeemed anew, the others go. */
export async function replaceDiscounts(world: World, id: string, wanted: DiscountChange[]): Promise<void> {
  const before = await world.need('subscription', id)
  const kept: string[] = []
  for (const { discount, ...given } of wanted) {
    const redemption = discount ? undefined : await redemptionOf(world, given)
    if (discount) kept.push(discount)
    else if (redemption) {
      const redeemed = await redeemCoupon(world, redemption, { customer: before.customer, subscription: id })
      kept.push(redeemed.id)
    }
  }
  await world.change('subscription', id, { discounts: kept }, 'customer.subscription.updated')
  for (const old of before.discounts) {
    if (!kept.includes(old)) await world.remove('discount', old, 'customer.discount.deleted')
  }
}

export async function pauseCollection(
  world: World,
  id: string,
  pause: { behavior: string; resumesAt: number | null } | null,
): Promise<Subscription> {
  world.unschedule('resume', id)
  if (pause?.resumesAt) world.schedule('resume', id, pause.resumesAt)
  return await world.change(
    'subscription',
    id,
    { pause_collection: pause ? { behavior: pause.behavior, resumes_at: pause.resumesAt } : null },
    'customer.subscription.updated',
  )
}

export async function cancelAt(world: World, id: string, at: number | null): Promise<Subscription> {
  const subscription = await world.need('subscription', id)
  world.unschedule('cancel_at', id)
  const atEnd = at !== null && at === periodEnd(subscription)
  if (at !== null && !atEnd) world.schedule('cancel_at', id, at)
  return await world.change(
    'subscription',
    id,
    (draft) => {
      draft.cancel_at = at
      draft.cancel_at_period_end = atEnd
      draft.canceled_at = at === null ? null : world.now
    },
    'customer.subscription.updated',
  )
}
