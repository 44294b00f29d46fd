import { formatSpan } from '../../lib/format.ts'
import { formatTime } from '../../lib/format-time.ts'
import { ApiError } from '../../lib/problems.ts'

export type LoginError = { text: string; detail?: string }

/** What the login screen says of a failed sign-in: refused, locked out, or not decided at all. */
export function loginErrorOf(cause: unknown, now: number): LoginError {
  if (!(cause instanceof ApiError)) return { text: 'Authentication failed. Please try again.' }
  if (cause.status === 429) return { text: 'Too many attempts.', detail: whenAgain(cause.retryAfter, now) }
  if (cause.status === 401 || cause.status === 403 || cause.status === 400) {
    return { text: 'Invalid admin key. Please try again.' }
  }
  const request = cause.requestId ? ` Request ${cause.requestId}` : ''
  return { text: 'Authentication failed. Please try again.', detail: cause.message + request }
}

function whenAgain(seconds: number | undefined, now: number): string {
  if (seconds === undefined) return 'Signing in from this address is locked for now. Please try again later.'
  return `Signing in from this address is locked. Try again in ${formatSpan(seconds)}, at ${formatTime(now + seconds * 1000)}.`
}
