import type { RequestContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import type { Answer, ProviderObject } from '../../../integrations/stripe/gateway.ts'
import type { ChangeTopic } from '../../../platform/changes.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { isProven } from './action.ts'
import { answerAction, type Started } from './begin.ts'
import { makeOrFind } from './make-or-find.ts'
import { perform, type Work } from './perform.ts'
import { type Handler, resolveNow } from './resolve.ts'
import type { Done } from './settle.ts'
import { NotDone, type Refusal, refusalOf, type Seen } from './verdict.ts'

/** How one kind of action is sent under its key, found at the provider without sending anything, and told. */
export type ObjectWay<A = unknown, Made extends ProviderObject | 'gone' = ProviderObject | 'gone'> = {
  /** Of the object that is made, changed or deleted. */
  kind: Seen['kind']
  /** `gone`: what is to be deleted does not exist any more. */
  send(work: Work): Promise<Answer | 'gone'>
  find(work: Work): Promise<Made | null>
  done(work: Work, made: Made, how: { fetchSeq: number; requestId: string | null }): Done<A>
  /** What the provider refuses, by its code, in words that say what to do. */
  refusals?: Readonly<Record<string, (action: ActionRow) => string>>
}

const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed and nothing was changed. Try again.',
}

/** Actions that make, change or delete one object at the provider each: sent once, found again, and answered as told. */
export function objectActions<K extends string>(ways: Readonly<Record<K, ObjectWay>>, topic: ChangeTopic) {
  const wayOf = ({ kind }: ActionRow): ObjectWay => ways[kind as K]

  function plainly(refusal: Refusal, error: unknown, action: ActionRow): Refusal {
    const code = error instanceof ProviderError ? error.providerCode : undefined
    const words = code === undefined ? undefined : wayOf(action).refusals?.[code]
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

  async function see(
    { ctx, stripe, action }: Pick<Work, 'ctx' | 'stripe' | 'action'>,
    id: string,
  ): Promise<Seen | null> {
    const fetchSeq = await nextFetchSeq(ctx.db)
    const { kind } = wayOf(action)
    const object = await stripe.findObject(kind, id)
    return object && { kind, object, fetchSeq }
  }

  /** The answer to a repeated call is as old as the first one, so what it made is read again. */
  async function asItIsNow(work: Work, made: ProviderObject | 'gone', requestId: string | null): Promise<Done> {
    const seen = made === 'gone' || made.deleted ? null : await see(work, made.id)
    const fetchSeq = seen?.fetchSeq ?? (await nextFetchSeq(work.ctx.db))
    return wayOf(work.action).done(work, seen?.object ?? made, { fetchSeq, requestId })
  }

  const handler: Handler = {
    /** What became of one whose answer was lost. */
    resolve: (work) =>
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
      }),
    see: (work) => see(work, work.action.result_id ?? work.action.target_id),
  }
  const handlers = Object.fromEntries(Object.keys(ways).map((kind) => [kind, handler])) as Record<K, Handler>

  return {
    handlers,
    /** This process hears of the change like all others, but its own next request may come sooner. */
    async deliver<A>(ctx: RequestContext, begun: { answer: A } | Started): Promise<A> {
      if ('answer' in begun) return begun.answer
      // The way of a kind answers what its endpoint does.
      const answer = (await perform(ctx, begun, sendOnce)) as A
      ctx.changes.tell(topic)
      return answer
    },
    /** What became of a call that comes again: where its outcome is open, that is found out first. */
    async answer<A>(ctx: RequestContext, id: string): Promise<A> {
      if (await resolveNow(ctx, id, handlers)) ctx.changes.tell(topic)
      return answerAction<A>(ctx, id)
    },
  }
}
