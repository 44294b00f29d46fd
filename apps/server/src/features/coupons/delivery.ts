import type { RequestContext } from '../../context.ts'
import { ProviderError } from '../../integrations/stripe/errors.ts'
import type { ProviderObject } from '../../integrations/stripe/gateway.ts'
import {
  type ActionRow,
  answerAction,
  type Done,
  type Handler,
  isProven,
  makeOrFind,
  NotDone,
  perform,
  type Refusal,
  refusalOf,
  resolveNow,
  type Seen,
  type Started,
  type Work,
} from '../billing/index.ts'
import { nextFetchSeq } from '../mirror/index.ts'
import { sameCodeText } from './rules.ts'
import { type CodePayload, kindBy, payloadOf, wayOf } from './ways.ts'

/** What Stripe refuses, in words that say what to do. */
const refusals: Record<string, (action: ActionRow) => string> = {
  resource_already_exists: (action) => sameCodeText(payloadOf<Partial<CodePayload>>(action).code ?? ''),
  coupon_expired: () => 'This coupon can no longer be redeemed',
  resource_missing: () => 'It does not exist at Stripe any more',
}

function plainly(refusal: Refusal, error: unknown, action: ActionRow): Refusal {
  const code = error instanceof ProviderError ? error.providerCode : undefined
  const words = code === undefined ? undefined : refusals[code]
  return words ? { ...refusal, message: `${words(action)}. Nothing was changed.` } : refusal
}

/** The first try. */
async function sendOnce(work: Work, fetchSeq: number): Promise<Done> {
  const way = wayOf(work.action)
  try {
    const sent = await way.send(work)
    const [made, requestId] = sent === 'gone' ? [sent, null] : [sent.object, sent.requestId]
    return way.done(work, made, { fetchSeq, requestId })
  } catch (error) {
    const refusal = refusalOf(error, false)
    throw refusal ? new NotDone(plainly(refusal, error, work.action)) : error
  }
}

/** The answer to a repeated call is as old as the first one, so what it made is read again. */
async function asItIsNow(work: Work, made: ProviderObject | 'gone', requestId: string | null): Promise<Done> {
  const { ctx, action } = work
  const seen = made === 'gone' || made.deleted ? null : await see(work, made.id)
  const fetchSeq = seen?.fetchSeq ?? (await nextFetchSeq(ctx.db))
  return wayOf(action).done(work, seen?.object ?? made, { fetchSeq, requestId })
}

async function see({ ctx, stripe, action }: Pick<Work, 'ctx' | 'stripe' | 'action'>, id: string): Promise<Seen | null> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const kind = kindBy(action)
  const object = await stripe.findObject(kind, id)
  return object && { kind, object, fetchSeq }
}

const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed and nothing was changed. Try again.',
}

/** What became of one whose answer was lost. */
const resolve = (work: Work): Promise<Done> =>
  makeOrFind<Done>(work, {
    async send() {
      const sent = await wayOf(work.action).send(work)
      return sent === 'gone' ? asItIsNow(work, sent, null) : asItIsNow(work, sent.object, sent.requestId)
    },
    async lookUp() {
      const found = await wayOf(work.action).find(work)
      return found && asItIsNow(work, found, null)
    },
    async ended(failure) {
      throw isProven(work.ctx, work.action) ? new NotDone(failedThere) : failure
    },
  })

const handler: Handler = { resolve, see: (work) => see(work, work.action.result_id ?? work.action.target_id) }

export const couponHandlers = {
  coupon_create: handler,
  coupon_delete: handler,
  promotion_code_create: handler,
  promotion_code_switch: handler,
}

/** This process hears of the change like all others, but its own next request may come sooner. */
export async function deliver<A>(ctx: RequestContext, begun: { answer: A } | Started): Promise<A> {
  if ('answer' in begun) return begun.answer
  // The way of a kind answers what its endpoint does.
  const answer = (await perform(ctx, begun, sendOnce)) as A
  ctx.changes.tell('plans')
  return answer
}

/** What became of a call that comes again: where its outcome is open, that is found out first. */
export async function answerCoupons<A>(ctx: RequestContext, id: string): Promise<A> {
  if (await resolveNow(ctx, id, couponHandlers)) ctx.changes.tell('plans')
  return answerAction<A>(ctx, id)
}
