import type { ApiError, ApiErrorCode } from './problems.ts'

// `unavailable` is also what the console answers when its database was lost, be it in the moment of the commit.
const lost: readonly ApiErrorCode[] = ['outcome_unknown', 'unreachable', 'bad_answer', 'internal', 'unavailable']

/** Whether what was asked for may have happened, or may still be happening, although the answer is an error. */
export function isUncertain(error: ApiError): boolean {
  // A proxy's own 502 or 504 carries no request id of ours: the console may have gone on without it.
  return lost.includes(error.code) || (error.status >= 500 && error.requestId === undefined)
}
