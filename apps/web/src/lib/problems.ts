import type { ErrorCode, Problem } from '@agency/contract/types'

// The words of RFC 9110 for connections over HTTP/2 and later, which carry no status text.
const standardWords: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

function statusWords(status: number, statusText: string): string {
  return statusText || standardWords[status] || `Status ${status}`
}

/** `no_key`, `unreachable` and `bad_answer` never come from the server: the call was not sent, not answered, or not understood. */
export type ApiErrorCode = ErrorCode | 'no_key' | 'unreachable' | 'bad_answer'

type ApiErrorInit = Pick<Problem, 'title' | 'detail' | 'status'> &
  Partial<Pick<Problem, 'parameter' | 'retryAfter' | 'permission' | 'requestId'>> & {
    code: ApiErrorCode
    statusText?: string
    told?: string | undefined
  }

export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly statusText: string
  readonly code: ApiErrorCode
  readonly title: string
  readonly detail: string
  readonly requestId: string | undefined
  readonly parameter: string | undefined
  readonly retryAfter: number | undefined
  readonly permission: string | undefined
  /** Of calls whose answers say whether they succeeded: what this one says went wrong. */
  readonly told: string | undefined

  constructor(init: ApiErrorInit) {
    super(init.detail || init.title)
    this.status = init.status
    this.statusText = init.statusText ?? ''
    this.code = init.code
    this.title = init.title
    this.detail = init.detail
    this.requestId = init.requestId
    this.parameter = init.parameter
    this.retryAfter = init.retryAfter
    this.permission = init.permission
    this.told = init.told
  }
}

export const noKey = () => new ApiError({ status: 0, code: 'no_key', title: 'Admin key not set', detail: '' })

export const unreachable = () =>
  new ApiError({
    status: 0,
    code: 'unreachable',
    title: 'No answer',
    detail: 'The console could not be reached. Check the connection and try again.',
  })

export const badAnswer = (response: Response) =>
  new ApiError({
    status: response.status,
    statusText: statusWords(response.status, response.statusText),
    code: 'bad_answer',
    title: 'Bad answer',
    detail: 'The answer could not be read.',
    requestId: response.headers.get('x-request-id') ?? undefined,
  })

/** Turns a failed answer into an error, whatever a proxy on the way may have put in its place. */
export async function problemOf(response: Response): Promise<ApiError> {
  const statusText = statusWords(response.status, response.statusText)
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  const problem: Partial<Problem> = (isJson && (await response.json().catch(() => null))) || {}
  return new ApiError({
    status: response.status,
    statusText,
    code: problem.code ?? codeOf(response.status),
    title: problem.title ?? statusText,
    detail: problem.detail ?? '',
    requestId: problem.requestId ?? response.headers.get('x-request-id') ?? undefined,
    parameter: problem.parameter,
    retryAfter: problem.retryAfter ?? secondsOf(response.headers.get('retry-after')),
    permission: problem.permission,
    told: problem.success === false ? (problem.error?.message ?? '') : undefined,
  })
}

function codeOf(status: number): ApiErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 429) return 'too_many_requests'
  return status >= 500 ? 'unavailable' : 'invalid_request'
}

function secondsOf(header: string | null): number | undefined {
  const seconds = Number(header)
  return header && Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : undefined
}
