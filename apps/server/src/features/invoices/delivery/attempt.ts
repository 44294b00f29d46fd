import { ProviderError } from '../../../integrations/stripe/errors.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { NotDone, refusalOf, type Seen, type Work } from '../../billing/index.ts'
import { nextFetchSeq } from '../../mirror/index.ts'

export const refuse = (message: string, seen: Seen | null = null): NotDone =>
  new NotDone({ code: 'conflict', message }, seen ? [seen] : [])

/** By how much the provider's clock may be behind. */
export const clocksDifferMs = 10 * 60_000

/** What the provider showed once it was so. */
export type Achieved = { seen: Seen; requestId: string | null }

/** What is done to an invoice that is there. `amount` is what was shown as due before. */
export type InvoicePayload = {
  customer: string | null
  number: string | null
  email?: string
  payment_method?: string
  amount: number
}

type Sight = Seen & { object: ProviderObject }

type Step<T> = {
  /** Nothing of the action has happened before it. */
  isFirst?: boolean
  call: () => Promise<T>
  /** What the provider shows if it has happened; null: it has not; undefined: that cannot be told. */
  find: () => Promise<T | null | undefined>
}

/** Tries after which a failure that the provider has answered counts as its last word. */
const enoughTries = 4

const isLastWord = (error: unknown, tries: number): error is ProviderError =>
  error instanceof ProviderError && (error.providerStatus ?? 0) >= 500 && tries >= enoughTries

/** An earlier step of the same action may have happened, so what is only late is tried again. */
const isPassing = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'rate_limit' || error.kind === 'unavailable')

/** One call that changes something. Where it fails, what the provider shows decides. */
export async function attempt<T>({ tries }: Pick<Work, 'tries'>, { isFirst = false, call, find }: Step<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const isRepeat = tries > 1
    const found = await find().catch(() => undefined)
    if (found) return found
    const refusal = isFirst || !isPassing(error) ? refusalOf(error, isRepeat) : null
    if (refusal && (found === null || !isRepeat)) throw new NotDone(refusal)
    if (found === null && isLastWord(error, tries)) {
      const { message, requestId } = error
      throw new NotDone({ code: 'provider_unavailable', message: `${message}. Try again.`, requestId })
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

export async function need(work: Work, id: string, nothing = 'Nothing was sent'): Promise<Sight> {
  const seen = await see(work, id)
  if (!seen) throw refuse(`The invoice no longer exists at Stripe. ${nothing}.`)
  return seen
}

/** The same before anything is asked for: as long as nothing was, a look that fails ends the action. */
export async function lookFirst(work: Work, id: string, nothing: string): Promise<Sight> {
  try {
    return await need(work, id, nothing)
  } catch (error) {
    if (!(error instanceof ProviderError) || work.tries > 1) throw error
    const { code, message, requestId } = error
    throw new NotDone({ code, message: `${message}. ${nothing}.`, requestId })
  }
}
