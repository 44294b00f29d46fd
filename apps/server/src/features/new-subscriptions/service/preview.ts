import type { newSubscriptions } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { SubscriptionPreview } from '@agency/contract/new-subscriptions'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { toNextInvoice } from '../../billing/index.ts'
import { findPrice, findRedeemable, findSubscriber } from '../queries.ts'
import { anchorOf, checkTerms } from '../rules.ts'

const daySeconds = 86_400
const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

export type Order = BodyOf<typeof newSubscriptions.previewSubscription>

/** Stripe's own preview of the first invoice. The same is asked again before anything is made. */
export async function previewSubscription(ctx: RequestContext, order: Order): Promise<SubscriptionPreview> {
  const { customer, price, quantity, trial_days, coupon, promotion_code: promotionCode } = order
  const subscriber = await findSubscriber(ctx.db, customer)
  if (!subscriber) throw notFound(`Customer ${customer}`)
  if (!ctx.stripe) throw new AppError('not_connected', 'Stripe is not connected')
  const redeemable = await findRedeemable(ctx.db, customer, new Date(ctx.clock()))
  const found = checkTerms(subscriber, await findPrice(ctx.db, price), redeemable, order)
  const now = Math.floor(ctx.clock() / 1000)
  const anchor = anchorOf(found, order, now)
  const trialEnd = trial_days > 0 ? now + trial_days * daySeconds : null
  const invoice = await ctx.stripe.previewSubscription({
    ...{ customer, price, quantity, trialEnd },
    ...(anchor !== undefined && { anchor }),
    ...(coupon !== undefined && { coupon }),
    ...(promotionCode !== undefined && { promotionCode }),
  })
  const isNow = order.collection === 'card' && trialEnd === null
  return {
    plan_name: found.plan_name,
    first_invoice: toNextInvoice(invoice, { at: now, isNow }),
    trial_ends_at: trialEnd === null ? null : instantOf(trialEnd),
    full_from: anchor === undefined ? null : instantOf(anchor),
  }
}
