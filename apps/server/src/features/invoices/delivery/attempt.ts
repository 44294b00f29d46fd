import type { RequestContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import type { ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { type ActionRow, type Refusal, refusalOf, type Seen } from '../../billing/index.ts'
import { nextFetchSeq } from '../../mirror/index.ts'

/** It did not happen, for certain, and why. */
export class NotDone extends Error {
  override name = 'NotDone'
  readonly refusal: Refusal
  /** What the provider showed, where it was asked. */
  readonly seen: Seen | null

  constructor(refusal: Refusal, seen: Seen | null = null) {
    super(refusal.message)
    this.refusal = refusal
    this.seen = seen
  }
}

export const refuse = (message: string, seen: Seen | null = null): NotDone =>
  new NotDone({ code: 'conflict', message }, seen)

/** By how much the provider's clock may be behind. */
export const clocksDifferMs = 10 * 60_000

/** What is done at the provider, with one context. */
export type Work = { ctx: RequestContext; stripe: StripeGateway; action: ActionRow }

type Step<T> = {
  /** Nothing of the action has happened before it. */
  isFirst?: boolean
  call: () => Promise<T>
  /** What the provider shows if it has happened; null: it has not; undefined: that cannot be told. */
  find: () => Promise<T | null | undefined>
}

/** Tries after which a failure that the provider has answered counts as its last word. */
const enoughTries = 4

const isLastWord = (error: unknown, { attempts }: ActionRow): error is ProviderError =>
  error instanceof ProviderError && (error.providerStatus ?? 0) >= 500 && attempts >= enoughTries

/** An earlier step of the same action may have happened, so what is only late is tried again. */
const isPassing = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'rate_limit' || error.kind === 'unavailable')

/** One call that changes something. Where it fails, what the provider shows decides. */
export async function attempt<T>(
  { action }: Pick<Work, 'action'>,
  { isFirst = false, call, find }: Step<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const isRepeat = action.attempts > 1
    const found = await find().catch(() => undefined)
    if (found) return found
    const refusal = isFirst || !isPassing(error) ? refusalOf(error, isRepeat) : null
    if (refusal && (found === null || !isRepeat)) throw new NotDone(refusal)
    if (found === null && isLastWord(error, action)) {
      const { message, requestId } = error
      throw new NotDone({ code: 'provider_unavailable', message: `${message}. It can be started again.`, requestId })
    }
    throw error
  }
}

/** The invoice as it is now; null when it is gone. */
export async function see({ ctx, stripe }: Pick<Work, 'ctx' | 'stripe'>, id: string): Promise<Seen | null> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('invoice', id)
  return object && { kind: 'invoice', object, fetchSeq }
}

export async function need(work: Work, id: string): Promise<Seen & { object: ProviderObject }> {
  const seen = await see(work, id)
  if (!seen) throw refuse('The invoice is gone at Stripe. Nothing was sent.')
  return seen
}
