import type { ErrorCode } from '@agency/contract/errors'
import { AppError } from '../platform/errors.ts'

export type ProviderErrorKind =
  | 'auth'
  | 'rate_limit'
  | 'not_found'
  | 'invalid'
  | 'conflict'
  | 'unavailable'
  | 'bad_answer'

export type FailureDetails = {
  status?: number | undefined
  code?: string | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  parameter?: string | undefined
  mayHaveRun?: boolean
  cause?: unknown
}

const codeOf: Record<ProviderErrorKind, ErrorCode> = {
  auth: 'provider_auth',
  rate_limit: 'provider_rate_limit',
  not_found: 'not_found',
  invalid: 'provider_invalid',
  conflict: 'conflict',
  unavailable: 'provider_unavailable',
  bad_answer: 'provider_bad_answer',
}

/** Whatever goes wrong between the console and a provider, in one shape. The message is for people. */
export abstract class ProviderFailure extends AppError {
  abstract readonly provider: 'stripe' | 'cloudflare'
  readonly kind: ProviderErrorKind
  readonly providerStatus: number | undefined
  readonly providerCode: string | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  /** false: neither this try nor an earlier one of the same call can have been carried out. */
  readonly mayHaveRun: boolean

  constructor(kind: ProviderErrorKind, message: string, details: FailureDetails, code: ErrorCode = codeOf[kind]) {
    super(code, message, { retryAfter: details.retryAfter, parameter: details.parameter, cause: details.cause })
    this.kind = kind
    this.providerStatus = details.status
    this.providerCode = details.code
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.mayHaveRun = details.mayHaveRun ?? true
  }
}
