import type { newSubscriptions } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { actionRequest, answerAction, beginAction, openText, perform } from '../../billing/index.ts'
import { type Answer, type Payload, start } from '../delivery.ts'
import { findPrice, findRedeemable, findSameOpen, lockSubscriber, type Subscriber } from '../queries.ts'
import { checkTerms } from '../rules.ts'
import { type Order, previewSubscription } from './preview.ts'

/** The answer of one that was asked for before. */
export const answerSubscription = (ctx: RequestContext, id: string): Promise<Answer> => answerAction(ctx, id)

/** Starts a subscription, if Stripe would still bill what the preview has shown. */
export async function createSubscription(
  ctx: RequestContext,
  { expected_amount_due: expected, ...order }: BodyOf<typeof newSubscriptions.createSubscription>,
  claim: Claim | null,
): Promise<Answer> {
  const { customer, ...terms } = order
  if (expected !== undefined) await checkCharge(ctx, order, expected)
  const request = actionRequest('subscription_create', customer, claim, [terms])
  const begun = await beginAction<Subscriber | undefined, Answer>(ctx, request, {
    lock: (tx) => lockSubscriber(tx.db, customer),
    async prepare(tx, subscriber) {
      if (!subscriber) throw notFound(`Customer ${customer}`)
      const redeemable = await findRedeemable(tx.db, customer, new Date(tx.clock()))
      const { plan_name, currency } = checkTerms(subscriber, await findPrice(tx.db, terms.price), redeemable, terms)
      const other = await findSameOpen(tx.db, customer, request.hash ?? '')
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      const payload: Payload = { ...terms, plan_name }
      return { payload, amount: expected !== undefined && expected > 0 ? expected : null, currency }
    },
  })
  return 'answer' in begun ? begun.answer : perform(ctx, begun, start)
}

async function checkCharge(ctx: RequestContext, order: Order, expected: number): Promise<void> {
  const { first_invoice: first } = await previewSubscription(ctx, order)
  if (first.amount_due === expected) return
  const [now, then] = [first.amount_due, expected].map((amount) => moneyText(amount, first.currency))
  throw new AppError(
    'conflict',
    `The first invoice would now be ${now}, not ${then} as it was shown. No subscription was created: check the new preview.`,
  )
}
