import type { newSubscriptions } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { declineText } from '../../integrations/stripe/decline-text.ts'
import { ProviderError } from '../../integrations/stripe/errors.ts'
import { fields, idOf, text } from '../../integrations/stripe/fields.ts'
import type { Answer as ProviderAnswer, ProviderObject } from '../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../integrations/stripe/pages.ts'
import {
  type ActionRow,
  type Done,
  getListedSubscription,
  type Handler,
  isProven,
  makeOrFind,
  NotDone,
  type Refusal,
  refusalOf,
  type Seen,
  type Work,
} from '../billing/index.ts'
import { nextFetchSeq } from '../mirror/index.ts'
import type { Terms } from './rules.ts'

export type Answer = ResponseOf<typeof newSubscriptions.createSubscription>

export type Payload = Terms & {
  plan_name: string
  /** When full periods begin, in seconds. */
  anchor?: number
}

const payloadOf = ({ payload }: ActionRow): Payload => payload as Payload

/** By how much the provider's clock may be behind. */
const clocksDifferMs = 10 * 60_000
const mostPages = 10

const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed; no subscription was created. Try again.',
}

/** The subscription that an action made, among those that the customer got since. */
async function findMade({ look, action }: Work): Promise<ProviderObject | null> {
  const createdFrom = new Date(action.created_at.getTime() - clocksDifferMs)
  const load = (startingAfter: string | undefined) =>
    look.listObjects('subscription', {
      ...{ customer: action.target_id, createdFrom },
      ...(startingAfter && { startingAfter }),
    })
  for await (const { objects } of pagesOf(load, { what: 'new subscriptions of one customer', most: mostPages })) {
    const found = objects.find((object) => fields(object['metadata'])['action_id'] === action.id)
    if (found) return found
  }
  return null
}

/** https://docs.stripe.com/error-codes#subscription-payment-intent-requires-action */
const needsCustomer = 'subscription_payment_intent_requires_action'
const declined = 402

/** What the bank said: a first payment that fails leaves no subscription. */
function refusalOfBank(error: unknown): Refusal | null {
  if (!(error instanceof ProviderError)) return null
  const { providerCode, providerStatus, requestId, cause } = error
  if (providerStatus !== declined) return null
  const isLeftToCustomer = providerCode === needsCustomer || providerCode === 'invoice_payment_intent_requires_action'
  const said = cause instanceof Error ? declineText(cause.message).replace(/\.$/, '') : 'The bank refused the charge'
  return {
    code: 'provider_invalid',
    message: isLeftToCustomer
      ? 'The bank wants the customer to confirm this payment. No subscription was created: email an invoice instead.'
      : `${said}. No subscription was created.`,
    requestId,
  }
}

/** Asked for under its key: the provider makes it once. */
async function send({ stripe, action }: Work): Promise<ProviderAnswer> {
  const { price, quantity, trial_days, collection, payment_method, days_until_due, ...rest } = payloadOf(action)
  const { coupon, promotion_code: promotionCode, anchor } = rest
  try {
    return await stripe.createSubscription({
      ...{ customer: action.target_id, price, quantity, trialDays: trial_days },
      ...(anchor !== undefined && { anchor }),
      ...(coupon !== undefined && { coupon }),
      ...(promotionCode !== undefined && { promotionCode }),
      by: collection === 'card' ? { paymentMethod: payment_method ?? '' } : { daysUntilDue: days_until_due },
      metadata: { action_id: action.id },
      idempotencyKey: action.provider_key,
    })
  } catch (error) {
    const refusal = refusalOfBank(error)
    throw refusal ? new NotDone(refusal) : error
  }
}

/** What was redeemed, read again: the provider counts redemptions and tells nobody. It may also be read at night. */
async function seeRedeemed({ ctx, look, action }: Work): Promise<Seen[]> {
  const { coupon, promotion_code } = payloadOf(action)
  const seen: Seen[] = []
  const read = async (kind: 'coupon' | 'promotion_code', id: string | null | undefined) => {
    if (!id) return undefined
    const fetchSeq = await nextFetchSeq(ctx.db)
    const object = await look.findObject(kind, id).catch(() => null)
    if (object) seen.push({ kind, object, fetchSeq })
    return object
  }
  const code = await read('promotion_code', promotion_code)
  await read('coupon', coupon ?? idOf(fields(code?.['promotion'])['coupon']))
  return seen
}

type Seeing = { fetchSeq: number; requestId: string | null; redeemed?: Seen[] }

function doneOf(object: ProviderObject, { fetchSeq, requestId, redeemed = [] }: Seeing): Done<Answer> {
  return {
    seen: [{ kind: 'subscription', object, fetchSeq }, ...redeemed],
    ...{ resultId: object.id, requestId, status: text(object['status']) ?? 'unknown' },
    answerOf: async (tx) => ({ success: true, subscription: await getListedSubscription(tx.db, object.id) }),
  }
}

/** The first try. */
export async function start(work: Work, fetchSeq: number): Promise<Done<Answer>> {
  try {
    const { object, requestId } = await send(work)
    return doneOf(object, { fetchSeq, requestId, redeemed: await seeRedeemed(work) })
  } catch (error) {
    const refusal = refusalOf(error, false)
    throw refusal ? new NotDone(refusal) : error
  }
}

async function see({ ctx, stripe }: Pick<Work, 'ctx' | 'stripe'>, id: string) {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('subscription', id)
  return object && { kind: 'subscription' as const, object, fetchSeq }
}

/** The answer to a repeated call is as old as the first one, and so is what a list shows. */
async function asItIsNow(work: Work, made: ProviderObject, requestId: string | null): Promise<Done<Answer>> {
  const seen = await see(work, made.id)
  const fetchSeq = seen?.fetchSeq ?? (await nextFetchSeq(work.ctx.db))
  return doneOf(seen?.object ?? made, { fetchSeq, requestId, redeemed: await seeRedeemed(work) })
}

/** What became of one whose answer was lost. */
const resolve = (work: Work): Promise<Done> =>
  makeOrFind<Done>(work, {
    async send() {
      const { object, requestId } = await send(work)
      return asItIsNow(work, object, requestId)
    },
    async lookUp() {
      const made = await findMade(work)
      return made && asItIsNow(work, made, null)
    },
    async ended(failure) {
      throw isProven(work.ctx, work.action) ? new NotDone(failedThere) : failure
    },
  })

const handler: Handler = {
  resolve,
  see: async (work) => (work.action.result_id ? see(work, work.action.result_id) : null),
}

export const newSubscriptionHandlers = { subscription_create: handler }
