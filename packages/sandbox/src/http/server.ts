import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault, FaultEffect, Faults } from '../faults.ts'
import type { RequestLog } from '../request-log.ts'
import type { Store } from '../store/store.ts'
import { apiVersion } from '../world/world.ts'
import { ApiError, noKey, serverError, tooMany, unknownUrl, wrongKey } from './errors.ts'
import { type FormHash, parseForm } from './form.ts'
import { type Call, errorBody, handle, keepFailure, type Sent } from './handle.ts'
import type { Found } from './router.ts'

export type ServerOptions = {
  host: string
  port: number
  secretKey: string
  store: Store
  faults: Faults
  log: RequestLog
  find: (method: string, path: string) => Found | undefined
  allow: () => boolean
  /** World time in milliseconds, and the time on the wall. */
  now: () => number
  wallNow: () => number
  /** Runs before a change and after it. */
  beforeWrite: () => Promise<void>
  afterWrite: () => void
  control: (method: string, path: string, body: string) => Promise<{ status: number; body: unknown } | undefined>
}

const bodyLimit = 1_048_576

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyLimit) throw new ApiError(413, { type: 'invalid_request_error', message: 'Request body too large.' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function keyOf(header: string | undefined): string | undefined {
  if (!header) return undefined
  const [scheme, value = ''] = header.split(' ')
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString('utf8').split(':')[0]
  return undefined
}

function authenticate(request: IncomingMessage, secretKey: string): void {
  const key = keyOf(request.headers.authorization)
  if (!key) throw noKey()
  if (key !== secretKey) throw wrongKey(key)
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function refuseByFault(effect: FaultEffect): ApiError {
  const { status = 500, code, message } = effect
  if (status === 429) return tooMany('global-rate', effect.retryAfter)
  if (status === 401) return wrongKey('sk_test_revoked00000000')
  const text = message ?? `The sandbox was told to answer ${status}.`
  if (status >= 500) return serverError(status, message)
  const type = status === 402 ? 'card_error' : 'invalid_request_error'
  return new ApiError(status, { type, message: text, ...(code ? { code } : {}) })
}

function send(response: ServerResponse, sent: Sent, requestId: string): void {
  if (response.destroyed) return
  response.writeHead(sent.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent.body),
    'request-id': requestId,
    'stripe-version': apiVersion,
    'cache-control': 'no-cache, no-store',
    ...sent.headers,
  })
  response.end(sent.body)
}

/** The answer leaves, but not as it should. Returns the status that was seen, or null when none was. */
function spoil(response: ServerResponse, sent: Sent, requestId: string, effect: FaultEffect): number | null {
  if (effect.connection === 'lost') {
    response.socket?.destroy()
    return null
  }
  if (effect.connection === 'cut') {
    const bytes = Buffer.from(sent.body)
    response.writeHead(sent.status, {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'request-id': requestId,
    })
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
    return sent.status
  }
  if (effect.malformed === 'html') {
    const body = '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon.</body></html>'
    send(response, { ...sent, status: 200, body, headers: { 'content-type': 'text/html' } }, requestId)
  } else if (effect.malformed === 'json') {
    send(response, { ...sent, body: sent.body.slice(0, Math.max(1, sent.body.length - 12)) }, requestId)
  } else if (effect.malformed === 'null_data') {
    const body = JSON.parse(sent.body) as Record<string, unknown>
    send(response, { ...sent, body: JSON.stringify({ ...body, data: null }) }, requestId)
  } else send(response, sent, requestId)
  return sent.status
}

type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  method: string
  url: URL
  found: Found | undefined
  form: FormHash
  fault: Fault | undefined
}

async function answer(options: ServerOptions, exchange: Exchange): Promise<Sent> {
  const { request, requestId, method, url, found, form, fault } = exchange
  const effect = fault?.effect ?? {}
  authenticate(request, options.secretKey)
  if (!options.allow()) throw tooMany('global-rate')
  if (!found) throw unknownUrl(method, url.pathname)
  const key = request.headers['idempotency-key']
  const call: Call = {
    ...found,
    form,
    requestId,
    idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
    now: Math.floor(options.now() / 1000),
    wallNow: options.wallNow(),
  }
  if (effect.status !== undefined) {
    const error = refuseByFault(effect)
    if (effect.kept ?? effect.status === 500) await keepFailure(options.store, call, error)
    throw error
  }
  if (method === 'GET') return await handle(options.store, call)
  await options.beforeWrite()
  const sent = await handle(options.store, { ...call, now: Math.floor(options.now() / 1000) })
  options.afterWrite()
  return sent
}

function failureOf(error: unknown, requestId: string): Sent {
  const known = error instanceof ApiError ? error : serverError(500, error instanceof Error ? error.message : undefined)
  return { status: known.status, body: errorBody(known, requestId), headers: known.headers, replayed: false }
}

async function exchange(options: ServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now()
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const method = request.method ?? 'GET'
  if (url.pathname.startsWith('/_sandbox/')) return await control(options, request, response, method, url)
  const requestId = `req_${randomBytes(7).toString('hex')}`
  const found = options.find(method, url.pathname)
  const place = { name: found?.route.name ?? null, method, path: url.pathname }
  const body = await readBody(request)
  const form = parseForm([url.search.slice(1), body].filter(Boolean).join('&'))
  const fault = options.faults.take(place)
  const effect = fault?.effect ?? {}
  if (effect.delayMs) await wait(effect.delayMs)
  let status: number | null = null
  let replayed = false
  if (effect.connection === 'destroy') response.socket?.destroy()
  else {
    const sent = await answer(options, { request, response, requestId, method, url, found, form, fault }).catch(
      (error: unknown) => failureOf(error, requestId),
    )
    replayed = sent.replayed
    status = spoil(response, sent, requestId, effect)
  }
  const key = request.headers['idempotency-key']
  options.log.add({
    ...place,
    id: requestId,
    at: options.wallNow(),
    params: form,
    idempotencyKey: typeof key === 'string' ? key : null,
    replayed,
    status,
    durationMs: Math.round(performance.now() - started),
    fault: fault ? JSON.stringify(fault.effect) : null,
  })
}

async function control(
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  method: string,
  url: URL,
): Promise<void> {
  const reply = (status: number, body: unknown) => {
    const text = JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
  try {
    authenticate(request, options.secretKey)
    const path = `${url.pathname.slice('/_sandbox'.length)}${url.search}`
    const result = await options.control(method, path, await readBody(request))
    if (result) reply(result.status, result.body)
    else reply(404, { error: `The sandbox has no ${method} ${url.pathname}` })
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 400
    reply(status, { error: error instanceof Error ? error.message : String(error) })
  }
}

export type Listening = { port: number; close(): Promise<void>; outage(ms: number): Promise<void> }

const listen = (server: Server, host: string, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

const shut = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export async function serve(options: ServerOptions): Promise<Listening> {
  const make = () =>
    createServer((request, response) => {
      exchange(options, request, response).catch(() => response.destroy())
    })
  let server = make()
  let closed = false
  const port = await listen(server, options.host, options.port)
  return {
    port,
    async close() {
      closed = true
      await shut(server)
    },
    /** Refuses connections for a while: nothing listens on the port. */
    async outage(ms) {
      await shut(server)
      setTimeout(() => {
        if (closed) return
        server = make()
        listen(server, options.host, port).catch(() => undefined)
      }, ms)
    },
  }
}
