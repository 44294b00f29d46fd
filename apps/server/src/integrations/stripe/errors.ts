import Stripe from 'stripe'
import { LateError } from '../../platform/within.ts'
import { type FailureDetails, type ProviderErrorKind, ProviderFailure } from '../provider-failure.ts'
import { retryAfterOf } from '../retry-after.ts'

type StripeDetails = FailureDetails & { isReplayed?: boolean }

/** Whatever goes wrong between the console and Stripe. */
export class ProviderError extends ProviderFailure {
  override name = 'ProviderError'
  readonly provider = 'stripe'
  /** What the provider answered to an earlier call under the same key, and will go on answering. */
  readonly isReplayed: boolean

  constructor(kind: ProviderErrorKind, message: string, details: StripeDetails = {}) {
    const isKeyInUse = kind === 'conflict' && details.code === 'idempotency_key_in_use'
    super(kind, message, details, isKeyInUse ? 'idempotency_conflict' : undefined)
    this.isReplayed = details.isReplayed ?? false
  }
}

const forbidden = 403

/** The key is good and may not do this. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof ProviderError && error.providerStatus === forbidden

/** The delivery is not from the provider, or not for us, or not from now. */
export class WebhookRefused extends Error {
  override name = 'WebhookRefused'
  /** Nothing of it fits a secret of ours, though it looks like a delivery. */
  readonly isSignature: boolean

  constructor(message: string, { isSignature = false } = {}) {
    super(message)
    this.isSignature = isSignature
  }
}

/** As much as can be said about an event that cannot be used. */
export type UnusableEvent = { id: string; type: string; reason: string; payload: Readonly<Record<string, unknown>> }

/** The provider signed it, but it holds what cannot be stored. */
export class UnusableDelivery extends WebhookRefused {
  override name = 'UnusableDelivery'
  readonly event: UnusableEvent

  constructor(event: UnusableEvent) {
    super(event.reason)
    this.event = event
  }
}

const maxRetryAfterS = 300

function kindOf(error: Stripe.errors.StripeError): ProviderErrorKind {
  const status = error.statusCode
  if (error instanceof Stripe.errors.StripeConnectionError) return 'unavailable'
  if (error instanceof Stripe.errors.StripeIdempotencyError) return 'conflict'
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'rate_limit'
  if (status === 404 || error.code === 'resource_missing') return 'not_found'
  if (status === 409) return 'conflict'
  if (status !== undefined && status >= 500) return 'unavailable'
  // Without a status the body was not JSON.
  return status === undefined ? 'bad_answer' : 'invalid'
}

function messageOf(kind: ProviderErrorKind, error: Stripe.errors.StripeError): string {
  switch (kind) {
    case 'auth':
      return `Stripe refused the key (${error.statusCode}): ${error.message}`
    case 'rate_limit':
      return 'Rate limit of Stripe reached'
    case 'not_found':
    case 'invalid':
      return `Stripe refused this: ${error.message}`
    case 'conflict':
      return `Stripe is still working on an earlier call: ${error.message}`
    case 'unavailable':
      return error.statusCode ? `Stripe has an outage (${error.statusCode})` : 'Stripe could not be reached'
    case 'bad_answer':
      return 'Unexpected answer from Stripe (not JSON)'
  }
}

/** Nothing is sent before the time that Stripe has told. */
export const limited = (retryAfter: number): ProviderError =>
  new ProviderError('rate_limit', 'Rate limit of Stripe reached', { retryAfter, mayHaveRun: false })

export function toProviderError(error: unknown, { mayHaveRun = true }: { mayHaveRun?: boolean } = {}): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof LateError)
    return new ProviderError('unavailable', 'Stripe could not be reached', { cause: error })
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new ProviderError('bad_answer', 'Unexpected answer from Stripe', { cause: error })
  }
  const kind = kindOf(error)
  return new ProviderError(kind, messageOf(kind, error), {
    status: error.statusCode,
    code: error.code,
    requestId: error.requestId,
    retryAfter: retryAfterOf(error.headers?.['retry-after'], maxRetryAfterS),
    parameter: error.param,
    isReplayed: error.headers?.['idempotent-replayed'] === 'true',
    mayHaveRun,
    cause: error,
  })
}
