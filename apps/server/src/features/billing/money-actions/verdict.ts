import type { ErrorCode } from '@agency/contract/errors'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import type { ObjectKind, ProviderObject } from '../../../integrations/stripe/gateway.ts'
import type { AppError } from '../../../platform/errors.ts'

/** An object as the provider showed it, and the number that was taken before it was asked for. */
export type Seen = { kind: ObjectKind; object: ProviderObject; fetchSeq: number }

/** Why it did not happen, for certain. */
export type Refusal = {
  code: ErrorCode
  message: string
  requestId?: string | null | undefined
  /** What it was about, and when to try again. */
  extras?: AppError['extras']
}

/** It did not happen, for certain, and why. */
export class NotDone extends Error {
  override name = 'NotDone'
  readonly refusal: Refusal
  /** What the provider showed, where it was asked. */
  readonly seen: readonly Seen[]
  /** What it has made, although that came to nothing. */
  readonly resultId: string | null

  constructor(refusal: Refusal, seen: readonly Seen[] = [], resultId: string | null = null) {
    super(refusal.message)
    this.refusal = refusal
    this.seen = seen
    this.resultId = resultId
  }
}

/** Nothing went wrong, and it cannot be told yet; or somebody else finds out. */
export class StillOpen extends Error {
  override name = 'StillOpen'

  constructor(reason = 'Unknown error in the call to Stripe') {
    super(reason)
  }
}

export const neverReached: Refusal = {
  code: 'provider_unavailable',
  message: 'The call never reached Stripe. Nothing was changed; try again.',
}

export const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed and the subscription is unchanged. Try again.',
}

export const failedAtRefund: Refusal = {
  code: 'provider_unavailable',
  message: `Stripe failed several times; no refund was made. Try again.`,
}

/** Stripe keeps its own failures under the key: this answer is its last word. https://docs.stripe.com/api/idempotent_requests */
export const isKeptFailure = (error: unknown): boolean =>
  error instanceof ProviderError && error.isReplayed && error.kind === 'unavailable'

/** What was refused before anybody looked at it, or not even sent. */
function untouched({ kind, message, requestId }: ProviderError): Refusal | null {
  if (kind === 'rate_limit')
    return {
      code: 'provider_rate_limit',
      message: `${message}. Nothing was changed; try again in a moment.`,
      requestId,
    }
  if (kind === 'unavailable')
    return { code: 'provider_unavailable', message: `${message}. Nothing was sent; try again.` }
  return null
}

/**
 * Whether an error proves that the provider did nothing. The SDK repeats a call whose answer was lost: what is refused then may be
 * the second try of one that went through. Of a first sending that proves nothing; a resend asks the provider what became of it.
 */
export function refusalOf(error: unknown, isResend: boolean): Refusal | null {
  if (!(error instanceof ProviderError)) return null
  if (!isResend && error.mayHaveRun) return null
  const { kind, message, requestId, providerStatus } = error
  const unheard = isResend ? null : untouched(error)
  if (unheard) return unheard
  if (kind === 'invalid' || kind === 'not_found') return { code: 'provider_invalid', message, requestId }
  // A key that is refused now may have been good when the call was first sent.
  if (kind === 'auth' && !isResend) return { code: 'provider_auth', message, requestId }
  // 400: the key of the call belongs to another one, and nothing but parameters of another version make that of a repeat.
  if (kind === 'conflict' && providerStatus === 400 && !isResend)
    return { code: 'provider_invalid', message, requestId }
  return null
}

export const reasonOf = (error: unknown): string =>
  error instanceof ProviderError || error instanceof StillOpen ? error.message : new StillOpen().message

/** The call itself may be repeated later; asking about it now may already tell. */
export const mayBeAskedAbout = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind !== 'auth' && error.kind !== 'rate_limit'
