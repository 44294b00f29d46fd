import type { newSubscriptions } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { actionRequest, answerAction, beginAction, openText, perform } from '../../billing/index.ts'
import { type Answer, type Payload, start } from '../delivery.ts'
import { findPrice, findRedeemable, findSameOpen, lockSubscriber, type Subscriber } from '../queries.ts'
import { anchorOf, checkTerms } from '../rules.ts'
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
  const due = expected === undefined ? undefined : await checkCharge(ctx, order, expected)
  const request = actionRequest('subscription_create', customer, claim, [terms])
  const begun = await beginAction<Subscriber | undefined, Answer>(ctx, request, {
    lock: (tx) => lockSubscriber(tx.db, customer),
    async prepare(tx, subscriber) {
      if (!subscriber) throw notFound(`Customer ${customer}`)
      const redeemable = await findRedeemable(tx.db, customer, new Date(tx.clock()))
      const price = checkTerms(subscriber, await findPrice(tx.db, terms.price), redeemable, terms)
      const anchor = anchorOf(price, terms, Math.floor(tx.clock() / 1000))
      const other = await findSameOpen(tx.db, customer, request.hash ?? '')
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      const payload: Payload = { ...terms, plan_name: price.plan_name, ...(anchor !== undefined && { anchor }) }
      return { payload, amount: due !== undefined && due > 0 ? due : null, currency: price.currency }
    },
  })
  return 'answer' in begun ? begun.answer : perform(ctx, begun, start)
}

/** What is due first, which is what was shown; of a first period in part it falls by the second. */
async function checkCharge(ctx: RequestContext, order: Order, expected: number): Promise<number> {
  const { first_invoice: first, full_from } = await previewSubscription(ctx, order)
  if (first.amount_due === expected || (full_from !== null && first.amount_due < expected)) return first.amount_due
  const [now, then] = [first.amount_due, expected].map((amount) => moneyText(amount, first.currency))
  throw new AppError(
    'conflict',
    `The first invoice would now be ${now}, not ${then} as it was shown. No subscription was created: check the new preview.`,
  )
}
