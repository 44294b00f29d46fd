import { z } from 'zod'

/** The stable codes of `application/problem+json` answers. */
export const errorCodes = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'sign_in_incomplete',
  'not_found',
  'conflict',
  'idempotency_conflict',
  'too_many_requests',
  'payload_too_large',
  'provider_auth',
  'provider_rate_limit',
  'provider_invalid',
  'provider_unavailable',
  'provider_bad_answer',
  'outcome_unknown',
  'not_connected',
  'unavailable',
  'internal',
] as const

export const errorCode = z.enum(errorCodes)
export type ErrorCode = z.output<typeof errorCode>

/** RFC 9457 problem details as every failed call answers them. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: errorCode,
  requestId: z.string(),
  /** The parameter or field that was refused. */
  parameter: z.string().optional(),
  /** Seconds until a further try makes sense. */
  retryAfter: z.int().optional(),
  /** The permission that would be needed. */
  permission: z.string().optional(),
  /** Of calls whose answers say whether they succeeded. */
  success: z.literal(false).optional(),
  error: z.object({ message: z.string() }).optional(),
})
export type Problem = z.output<typeof problem>
