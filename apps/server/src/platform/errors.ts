import type { ErrorCode } from '@agency/contract/errors'

export const statusOf: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  sign_in_incomplete: 403,
  not_found: 404,
  conflict: 409,
  idempotency_conflict: 409,
  payload_too_large: 413,
  too_many_requests: 429,
  provider_auth: 502,
  provider_rate_limit: 503,
  provider_invalid: 422,
  provider_unavailable: 503,
  provider_bad_answer: 502,
  outcome_unknown: 504,
  not_connected: 503,
  unavailable: 503,
  internal: 500,
}

export const titleOf: Record<ErrorCode, string> = {
  invalid_request: 'The request is not valid',
  unauthenticated: 'Sign in first',
  forbidden: 'Not permitted',
  sign_in_incomplete: 'The sign-in is not complete',
  not_found: 'Not found',
  conflict: 'Not possible in this state',
  idempotency_conflict: 'The idempotency key was used for another request',
  payload_too_large: 'The request is too large',
  too_many_requests: 'Too many tries',
  provider_auth: 'Key rejected',
  provider_rate_limit: 'Rate limit reached',
  provider_invalid: 'Request refused',
  provider_unavailable: 'Service not reachable',
  provider_bad_answer: 'Unexpected answer',
  outcome_unknown: 'Outcome unknown',
  not_connected: 'Not connected',
  unavailable: 'Not available right now',
  internal: 'Internal error',
}

export type ErrorExtras = {
  parameter?: string
  retryAfter?: number
  permission?: string
  cause?: unknown
  /** A session that was open has ended: what the browser kept of it is to go. */
  endsSession?: boolean
}

/**
 * A failure that the caller is told about: `code` decides the status. The message of every code but `internal` is
 * written for the person who reads it.
 */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly extras: ErrorExtras

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, { cause: extras.cause })
    this.code = code
    this.status = statusOf[code]
    this.extras = extras
  }
}

export const notFound = (what: string): AppError => new AppError('not_found', `${what} does not exist`)
export const invalidParameter = (parameter: string, message: string): AppError =>
  new AppError('invalid_request', `${parameter} ${message}`, { parameter })
