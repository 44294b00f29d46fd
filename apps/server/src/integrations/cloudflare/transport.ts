import { remainingMs } from '../../platform/awaited.ts'
import { inSpan, templateOf } from '../../platform/tracing.ts'
import { retryAfterOf } from '../retry-after.ts'
import type { AllowanceScope } from './allowance.ts'
import { badAnswer, type Heard, refusal, unreachable } from './errors.ts'

export type Account = {
  apiToken: string
  /** Another server that speaks the same protocol; https unless it is on this machine. */
  apiBase?: string | undefined
  timeoutMs?: number
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Options = { query?: Record<string, unknown>; body?: unknown }

export type Guard = {
  before(scope: AllowanceScope): Promise<void>
  /** Its answer may say to wait. */
  after(scope: AllowanceScope, heard: Heard, path: string): Promise<void>
}

const defaultBase = 'https://api.cloudflare.com/client/v4'
/** The behaviour that this client was written for; the SDK would send today's date. */
const apiVersion = '2026-11-01'
const longestBody = 32 * 1024 * 1024
const longestRetryAfterS = 3600
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A token is never sent in the clear, but on this machine. */
export function baseOf({ apiBase = defaultBase }: Account): string {
  const url = new URL(apiBase)
  if (url.protocol !== 'https:' && !loopback.has(url.hostname))
    throw new Error('CLOUDFLARE_API_BASE must start with https://')
  return apiBase.replace(/\/+$/, '')
}

/** `{ name: { exact: 'x' } }` is asked as `name.exact=x`. */
function parametersOf(query: object): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return []
    if (typeof value !== 'object') return [[name, String(value)]]
    return parametersOf(value).map(([inner, text]) => [`${name}.${inner}`, text])
  })
}

function addressOf(base: string, path: string, query: Record<string, unknown> | undefined): string {
  const parameters = new URLSearchParams(parametersOf(query ?? {}))
  return parameters.size === 0 ? `${base}${path}` : `${base}${path}?${parameters}`
}

async function readCapped(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > longestBody) throw new RangeError('the answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Node hides the reason of a failed request inside of it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'TimeoutError') return 'no answer in time'
  return error.cause instanceof Error ? error.cause.message : error.message
}

function parse(text: string): { isJson: boolean; body: unknown } {
  try {
    return { isJson: true, body: JSON.parse(text) }
  } catch {
    return { isJson: false, body: undefined }
  }
}

function traced<T extends { response: Response }>(method: Method, path: string, work: () => Promise<T>): Promise<T> {
  const route = templateOf(path)
  return inSpan(
    `cloudflare ${method} ${route}`,
    { 'http.request.method': method, 'http.route': route },
    async (span) => {
      const answer = await work()
      span?.set({ 'http.response.status_code': answer.response.status })
      return answer
    },
  )
}

/**
 * What the SDK's resource classes stand on, instead of its own client, which loads every resource there is (48 MB), waits as
 * long as a Retry-After says and takes a refusal under status 200 for an answer.
 */
export function createTransport(account: Account, guard: Guard) {
  const base = baseOf(account)
  const timeoutMs = account.timeoutMs ?? 10_000

  async function send(
    method: Method,
    path: string,
    { query, body }: Options,
  ): Promise<{ response: Response; text: string }> {
    const isForm = body instanceof FormData
    const headers = {
      authorization: `Bearer ${account.apiToken}`,
      accept: 'application/json',
      'api-version': apiVersion,
    }
    try {
      return await traced(method, path, async () => {
        const response = await fetch(addressOf(base, path, query), {
          method,
          headers: body === undefined || isForm ? headers : { ...headers, 'content-type': 'application/json' },
          ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
          // The token is for the address that was given, not for one that it names.
          redirect: 'manual',
          signal: AbortSignal.timeout(Math.max(0, Math.floor(Math.min(timeoutMs, remainingMs())))),
        })
        return { response, text: await readCapped(response) }
      })
    } catch (error) {
      throw unreachable(reasonOf(error), error)
    }
  }

  /** The whole envelope, once it says `success`. Of GraphQL, which has none, whatever is JSON. */
  async function ask(scope: AllowanceScope, method: Method, path: string, options: Options = {}): Promise<unknown> {
    await guard.before(scope)
    const { response, text } = await send(method, path, options)
    const { status, headers } = response
    const heard: Heard = {
      status,
      requestId: headers.get('cf-ray') ?? undefined,
      retryAfter: retryAfterOf(headers.get('retry-after'), longestRetryAfterS),
      text,
    }
    await guard.after(scope, heard, path)
    const { isJson, body } = parse(text)
    if (!response.ok) throw refusal(heard, body)
    if (!isJson) throw badAnswer('the answer is not JSON', heard)
    if (scope === 'graphql') return body
    const success = (body as { success?: unknown } | null)?.success
    if (success === false) throw refusal(heard, body)
    if (success !== true) throw badAnswer('the answer is not in the form of an answer', heard)
    return body
  }

  /** The SDK's own kind of promise, as far as its resource classes use it. */
  function answer(method: Method) {
    return (path: string, options?: Options | Promise<Options>) => {
      const envelope = Promise.resolve(options).then((given) => ask('rest', method, path, given))
      const unwrap = <T>(of: (body: unknown) => T) => envelope.then(of)
      // Whoever unwraps it waits for the unwrapped one alone.
      envelope.catch(() => {})
      return Object.assign(envelope, { _thenUnwrap: unwrap })
    }
  }

  return {
    get: answer('GET'),
    post: answer('POST'),
    put: answer('PUT'),
    patch: answer('PATCH'),
    delete: answer('DELETE'),
    getAPIList: (path: string, _page: unknown, options?: Options) => ask('rest', 'GET', path, options),
    /** Only asked for the class of its answers, when a form is made. */
    fetch: Object.assign(fetch, { Response }),
    graphql: (body: unknown) => ask('graphql', 'POST', '/graphql', { body }),
  }
}

export type Transport = ReturnType<typeof createTransport>
