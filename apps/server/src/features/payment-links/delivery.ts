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
import { kind, wayOf } from './ways.ts'

/** What Stripe refuses, in words that say what to do. */
function plainly(refusal: Refusal, error: unknown, action: ActionRow): Refusal {
  const isMissing = error instanceof ProviderError && error.providerCode === 'resource_missing'
  if (!isMissing) return refusal
  const what = action.kind === 'payment_link_create' ? 'This price' : 'This payment link'
  return { ...refusal, message: `${what} does not exist at Stripe any more. Nothing was changed.` }
}

/** The first try. */
async function sendOnce(work: Work, fetchSeq: number): Promise<Done> {
  const way = wayOf(work.action)
  try {
    const { object, requestId } = await way.send(work)
    return way.done(work, object, { fetchSeq, requestId })
  } catch (error) {
    const refusal = refusalOf(error, false)
    throw refusal ? new NotDone(plainly(refusal, error, work.action)) : error
  }
}

async function see({ ctx, stripe }: Pick<Work, 'ctx' | 'stripe'>, id: string): Promise<Seen | null> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject(kind, id)
  return object && { kind, object, fetchSeq }
}

/** The answer to a repeated call is as old as the first one, so what it made is read again. */
async function asItIsNow(work: Work, made: ProviderObject, requestId: string | null): Promise<Done> {
  const seen = await see(work, made.id)
  const fetchSeq = seen?.fetchSeq ?? (await nextFetchSeq(work.ctx.db))
  return wayOf(work.action).done(work, seen?.object ?? made, { fetchSeq, requestId })
}

const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed and nothing was changed. Try again.',
}

/** What became of one whose answer was lost. */
const resolve = (work: Work): Promise<Done> =>
  makeOrFind<Done>(work, {
    async send() {
      const { object, requestId } = await wayOf(work.action).send(work)
      return asItIsNow(work, object, requestId)
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

export const paymentLinkHandlers = { payment_link_create: handler, payment_link_switch: handler }

/** This process hears of the change like all others, but its own next request may come sooner. */
export async function deliver<A>(ctx: RequestContext, begun: { answer: A } | Started): Promise<A> {
  if ('answer' in begun) return begun.answer
  // The way of a kind answers what its endpoint does.
  const answer = (await perform(ctx, begun, sendOnce)) as A
  ctx.changes.tell('plans')
  return answer
}

/** What became of a call that comes again: where its outcome is open, that is found out first. */
export async function answerLinks<A>(ctx: RequestContext, id: string): Promise<A> {
  if (await resolveNow(ctx, id, paymentLinkHandlers)) ctx.changes.tell('plans')
  return answerAction<A>(ctx, id)
}
