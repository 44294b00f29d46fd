import type { newSubscriptions } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { getPaymentMethods } from '../../invoices/index.ts'
import { findRedeemable, findSubscriber } from '../queries.ts'
import { subscriberRefusal } from '../rules.ts'

export async function getNewSubscription(
  ctx: RequestContext,
  id: string,
): Promise<ResponseOf<typeof newSubscriptions.getNewSubscription>> {
  const subscriber = await findSubscriber(ctx.db, id)
  if (!subscriber) throw notFound(`Customer ${id}`)
  if (!ctx.stripe) throw new AppError('not_connected', 'Stripe is not connected')
  const refusal = subscriberRefusal(subscriber)
  const { name, email, currency } = subscriber
  const [{ coupons, codes }, { methods }] = await Promise.all([
    findRedeemable(ctx.db, id, new Date(ctx.clock())),
    refusal ? { methods: [] } : getPaymentMethods(ctx, id),
  ])
  const sends_email = ctx.stripe.livemode
  const customer = { id, name, email }
  return { customer, refusal, currency, methods, coupons, promotion_codes: codes, sends_email }
}
