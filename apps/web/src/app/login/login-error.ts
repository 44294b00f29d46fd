import { formatSpan, formatTime } from '../../lib/format-time.ts'
import { ApiError } from '../../lib/problems.ts'

export type LoginError = { text: string; detail?: string }

const failed = 'Authentication failed. Please try again.'

/** What the login screen says of a failed sign-in: refused, locked out, or not decided at all. */
export function loginErrorOf(cause: unknown, now: number): LoginError {
  const refused = cause instanceof ApiError && [400, 401, 403].includes(cause.status)
  return refused ? { text: 'Invalid admin key. Please try again.' } : undecided(cause, now, 'from this address ')
}

/** The same of email and password. The server words its refusal so that it does not tell who has an account. */
export function emailErrorOf(cause: unknown, now: number): LoginError {
  if (cause instanceof ApiError && cause.status === 401 && cause.detail) return { text: cause.detail }
  const refused = cause instanceof ApiError && [400, 401, 403].includes(cause.status)
  return refused ? { text: 'Invalid email or password. Please try again.' } : undecided(cause, now)
}

/** Of a step after that: what was wrong with it is said by the server. */
export function stepErrorOf(cause: unknown, now: number): LoginError {
  const told = cause instanceof ApiError && cause.status < 500 && cause.status !== 429 && cause.status > 0
  return told && cause.message ? { text: cause.message } : undecided(cause, now)
}

function undecided(cause: unknown, now: number, where = ''): LoginError {
  if (!(cause instanceof ApiError)) return { text: failed }
  if (cause.status === 429) return { text: 'Too many attempts.', detail: whenAgain(cause.retryAfter, now, where) }
  const request = cause.requestId ? ` Request ${cause.requestId}` : ''
  return { text: failed, detail: cause.message + request }
}

function whenAgain(seconds: number | undefined, now: number, where: string): string {
  if (seconds === undefined) return `Signing in ${where}is locked for now. Please try again later.`
  return `Signing in ${where}is locked. Try again in ${formatSpan(seconds)}, at ${formatTime(now + seconds * 1000)}.`
}
