import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Certificate, certificateOf } from './certificate.ts'
import { openSocket, secure } from './connect.ts'
import { ask, readBody } from './exchange.ts'
import { ProbeError } from './probe-error.ts'
import { type Doors, findTarget, noResolver, type Target } from './target.ts'
import { noTimings, stopwatch, type Timings } from './timings.ts'

export type SafeRequest = {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /** 0: a redirect is an answer like any other. */
  maxRedirects?: number
  /** For all of it, redirects included. */
  timeoutMs?: number
  maxBytes?: number
  /** What is longer is read on to here and not kept, to see whether it ends at all. */
  endWithinBytes?: number
  /** Says nothing to a host whose certificate is not trusted. */
  requireTrust?: boolean
  signal?: AbortSignal
}

export type SafeAnswer = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** There was more than was read. */
  isCut: boolean
  /** Its host announced no end, and none came within `endWithinBytes`. */
  isEndless: boolean
  /** Where it came from in the end. */
  url: string
  redirects: number
  /** Of the last request, after redirects. */
  timings: Timings
  totalMs: number
  /** Of the first host that was asked over https. */
  certificate: Certificate | null
}

/** What was learnt on the way, also when no answer came. */
export type Trace = Pick<SafeAnswer, 'url' | 'redirects' | 'timings' | 'certificate'>

const userAgent = 'AgencyConsole/1.0 (site check)'
const defaultTimeoutMs = 10_000
const defaultMaxBytes = 65_536
const defaultRedirects = 3
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const nothingRead = { body: Buffer.alloc(0), isCut: true, isEndless: false }

type Hop = { answer: Omit<SafeAnswer, 'redirects' | 'totalMs' | 'certificate' | 'url'>; next: string | null }

async function openTo(target: Target, request: SafeRequest, trace: Trace, signal: AbortSignal): Promise<Socket> {
  const lap = stopwatch()
  const plain = await openSocket(target, signal)
  trace.timings.connect = lap()
  if (!target.isTls) return plain
  const socket: TLSSocket = await secure(plain, target, signal)
  trace.timings.tls = lap()
  const certificate = certificateOf(socket)
  trace.certificate ??= certificate
  if (request.requireTrust && !socket.authorized) {
    socket.destroy()
    throw new ProbeError('tls', `The certificate is not trusted. ${certificate?.problem ?? ''}`.trim())
  }
  return socket
}

async function hop(text: string, request: SafeRequest, doors: Doors, trace: Trace, signal: AbortSignal): Promise<Hop> {
  trace.timings = noTimings()
  const resolving = stopwatch()
  const target = await resolved(findTarget(text, doors, signal), signal)
  trace.timings.dns = target.isResolved ? resolving() : null
  trace.url = target.url.href
  const socket = await openTo(target, request, trace, signal)
  try {
    const { method = 'GET', headers = {}, body, maxBytes = defaultMaxBytes, endWithinBytes } = request
    const lap = stopwatch()
    const all = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', ...headers }
    const head = await ask(socket, { url: target.url, method, headers: all, body, maxBytes, signal })
    trace.timings.ttfb = lap()
    const { location } = head.headers
    const isRedirect = redirectStatuses.has(head.status) && location !== undefined && method !== 'POST'
    if (isRedirect && (request.maxRedirects ?? defaultRedirects) > 0) {
      head.response.resume()
      const next = URL.parse(location, target.url.href)?.href ?? location
      return { answer: { ...head, ...nothingRead, timings: trace.timings }, next }
    }
    const read = await readBody(head.response, { maxBytes, endWithinBytes })
    trace.timings.download = lap()
    return { answer: { status: head.status, headers: head.headers, ...read, timings: trace.timings }, next: null }
  } finally {
    socket.destroy()
  }
}

/** Not every way to look up a name can be stopped; the others are left behind. */
function resolved<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(noResolver())
    // What is left behind may still fail, and then nobody listens.
    if (signal.aborted) {
      work.catch(() => {})
      return stop()
    }
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function follow(request: SafeRequest, doors: Doors, trace: Trace, signal: AbortSignal): Promise<SafeAnswer> {
  const started = performance.now()
  const { maxRedirects = defaultRedirects } = request
  const asked = new Set<string>()
  let next: string | null = request.url
  for (;;) {
    const { answer, next: following }: Hop = await hop(next, request, doors, trace, signal)
    if (following === null) {
      const totalMs = Math.round((performance.now() - started) * 100) / 100
      return { ...answer, url: trace.url, redirects: trace.redirects, totalMs, certificate: trace.certificate }
    }
    if (trace.redirects >= maxRedirects) throw new ProbeError('redirects', `More than ${maxRedirects} redirects`)
    trace.redirects += 1
    asked.add(trace.url)
    if (asked.has(following)) throw new ProbeError('redirects', 'Redirect loop')
    next = following
  }
}

function timeoutWords(timeoutMs: number, { timings }: Trace): string {
  const within = timeoutMs === 1000 ? '1 second' : `${timeoutMs / 1000} seconds`
  return timings.ttfb === null ? `No answer within ${within}` : `The answer did not end within ${within}`
}

/**
 * Asks a host that somebody else named: public addresses on the ports of the web only, each redirect checked again, and
 * an end to everything. Rejects with `ProbeError`; `trace` is filled in as far as it got.
 */
export async function safeRequest(
  request: SafeRequest,
  doors: Doors,
  trace: Trace = { url: request.url, redirects: 0, timings: noTimings(), certificate: null },
): Promise<SafeAnswer> {
  const { timeoutMs = defaultTimeoutMs } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
  try {
    return await follow(request, doors, trace, signal)
  } catch (error) {
    const isOwnNetwork = error instanceof ProbeError && error.reason === 'network'
    if (timeout.aborted && !isOwnNetwork)
      throw new ProbeError('timeout', timeoutWords(timeoutMs, trace), { cause: error })
    if (request.signal?.aborted) throw new ProbeError('stopped', 'Stopped', { cause: error })
    throw error instanceof ProbeError
      ? error
      : new ProbeError('answer', error instanceof Error ? error.message : String(error), { cause: error })
  }
}
