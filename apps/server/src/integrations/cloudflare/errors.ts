import { STATUS_CODES } from 'node:http'
import { type FailureDetails, type ProviderErrorKind, ProviderFailure } from '../provider-failure.ts'
import { isUnsent } from '../unsent.ts'

/** Whatever goes wrong between the console and Cloudflare. */
export class CloudflareError extends ProviderFailure {
  override name = 'CloudflareError'
  readonly provider = 'cloudflare'

  constructor(kind: ProviderErrorKind, message: string, details: FailureDetails = {}) {
    super(kind, message, details)
  }
}

export type Heard = {
  status: number
  requestId: string | undefined
  retryAfter: number | undefined
  text: string
}

type Complaint = { code: string | undefined; message: string | undefined }
type Told = { code?: unknown; message?: unknown; error_chain?: unknown }

/** Cloudflare's words for a token that it does not take, whatever the status. */
const tokenCodes = new Set(['1000', '6003', '6111', '9106', '9109', '10000', '10001'])
const longestText = 300

/** Some errors only wrap the reason, which stands in their chain. */
function reasonsOf(error: unknown): Told[] {
  if (typeof error !== 'object' || error === null) return []
  const { error_chain: chain } = error as Told
  return Array.isArray(chain) && chain.length > 0 ? chain.flatMap(reasonsOf) : [error as Told]
}

/** The envelope's own errors; several are told together. */
function complaintOf(body: unknown): Complaint {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors
  if (!Array.isArray(errors)) return { code: undefined, message: undefined }
  const list = errors.flatMap(reasonsOf)
  const messages = list.flatMap((error) => (typeof error?.message === 'string' ? [error.message] : []))
  const code = list[0]?.code
  return {
    code: typeof code === 'number' || typeof code === 'string' ? String(code) : undefined,
    message: messages.length === 0 ? undefined : messages.join('; '),
  }
}

function kindOf(status: number, code: string | undefined): ProviderErrorKind {
  if (status === 429) return 'rate_limit'
  if (status >= 500) return 'unavailable'
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  if (status === 409) return 'conflict'
  if (code !== undefined && tokenCodes.has(code)) return 'auth'
  return status >= 300 && status < 400 ? 'bad_answer' : 'invalid'
}

/** A page of a proxy says nothing that its status does not. */
function shown(text: string, status: number): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ').trim()
  const isPage = plain.startsWith('<')
  const words = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  return isPage || plain === '' ? words : plain.slice(0, longestText)
}

/** An answer that says no: by its status, or by `success: false` under status 200. */
export function refusal(heard: Heard, body: unknown): CloudflareError {
  const { code, message } = complaintOf(body)
  const details = { status: heard.status, code, requestId: heard.requestId, retryAfter: heard.retryAfter }
  const kind = kindOf(heard.status, code)
  return new CloudflareError(kind, `Cloudflare API error: ${shown(message ?? heard.text, heard.status)}`, details)
}

export function badAnswer(what: string, heard: Heard, cause?: unknown): CloudflareError {
  return new CloudflareError('bad_answer', `Cloudflare API error: ${what}`, {
    status: heard.status,
    requestId: heard.requestId,
    cause,
  })
}

export const unreachable = (reason: string, cause?: unknown): CloudflareError =>
  new CloudflareError('unavailable', `Cloudflare could not be reached: ${reason}`, {
    cause,
    mayHaveRun: !isUnsent(cause instanceof Error ? cause.cause : cause),
  })

/** Nothing was sent. `retryAfter` is when the allowance has room again. */
export const overBudget = (retryAfter: number): CloudflareError =>
  new CloudflareError('rate_limit', 'Rate limit of Cloudflare reached', { retryAfter })

export const blocked = (retryAfter: number): CloudflareError =>
  new CloudflareError('rate_limit', 'Rate limit of Cloudflare reached', { retryAfter })
