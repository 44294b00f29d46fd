import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FaultEffect, Faults } from '../faults.ts'
import type { RequestLog } from '../request-log.ts'
import type { Store } from '../store/store.ts'
import type { Page } from '../stripe/pages/pages.ts'
import { authenticate } from './authenticate.ts'
import { ApiError, serverError, tooMany, unknownUrl } from './errors.ts'
import { type FormHash, parseForm } from './form.ts'
import { type Call, errorBody, handle, keepFailure, type Sent } from './handle.ts'
import { type Listening, listenOn } from './listen.ts'
import { readBytes } from './read-body.ts'
import { leave, refuseByFault } from './reply.ts'
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
  /** What people open in their browser, without a key. */
  page: (path: string) => Promise<Page | undefined>
}

type Exchange = { request: IncomingMessage; response: ServerResponse; method: string; url: URL }
type Place = { name: string | null; method: string; path: string }

const bodyLimit = 1_048_576
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function readBody(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request, bodyLimit)
  if (bytes) return bytes.toString('utf8')
  throw new ApiError(413, { type: 'invalid_request_error', message: 'The request body is too large.' })
}

const keyIn = ({ headers }: IncomingMessage): string | null => {
  const key = headers['idempotency-key']
  return typeof key === 'string' && key !== '' ? key : null
}

async function answer(
  options: ServerOptions,
  { request, method, url }: Exchange,
  asked: { requestId: string; found: Found | undefined; form: FormHash; effect: FaultEffect },
): Promise<Sent> {
  const { found, effect, form, requestId } = asked
  authenticate(request, options.secretKey)
  if (!options.allow()) throw tooMany('global-rate')
  if (!found) throw unknownUrl(method, url.pathname)
  const now = () => Math.floor(options.now() / 1000)
  const base = { ...found, form, requestId, idempotencyKey: keyIn(request), wallNow: options.wallNow() }
  const call: Call = { ...base, now: now() }
  if (effect.status !== undefined) {
    const error = refuseByFault(effect)
    if (effect.kept ?? effect.status === 500) await keepFailure(options.store, call, error)
    throw error
  }
  if (method === 'GET') return await handle(options.store, call)
  await options.beforeWrite()
  const sent = await handle(options.store, { ...base, now: now() })
  options.afterWrite()
  return sent
}

function failureOf(error: unknown, requestId: string): Sent {
  const known = error instanceof ApiError ? error : serverError(500, error instanceof Error ? error.message : undefined)
  return { status: known.status, body: errorBody(known, requestId), headers: known.headers, replayed: false }
}

async function exchange(options: ServerOptions, parts: Exchange): Promise<void> {
  const { request, response, method, url } = parts
  const started = performance.now()
  const requestId = `req_${randomBytes(7).toString('hex')}`
  const found = options.find(method, url.pathname)
  const place: Place = { name: found?.route.name ?? null, method, path: url.pathname }
  const fault = options.faults.take(place)
  const effect = fault?.effect ?? {}
  let params: FormHash = {}
  let sent: Sent | undefined
  if (effect.delayMs) await wait(effect.delayMs)
  if (effect.connection === 'destroy') response.socket?.destroy()
  else {
    try {
      params = parseForm([url.search.slice(1), await readBody(request)].filter(Boolean).join('&'))
      sent = await answer(options, parts, { requestId, found, form: params, effect })
    } catch (error) {
      sent = failureOf(error, requestId)
    }
  }
  const status = sent ? leave(response, sent, requestId, effect) : null
  options.log.add({
    provider: 'stripe',
    ...place,
    id: requestId,
    at: options.wallNow(),
    params,
    idempotencyKey: keyIn(request),
    replayed: sent?.replayed ?? false,
    status,
    durationMs: Math.round(performance.now() - started),
    fault: fault ? JSON.stringify(fault.effect) : null,
  })
}

async function control(options: ServerOptions, { request, response, method, url }: Exchange): Promise<void> {
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

function show({ type, body, name }: Page, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.byteLength,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
    ...(name && { 'content-disposition': `inline; filename="${name}"` }),
  })
  response.end(body)
}

async function receive(options: ServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const parts = { request, response, method: request.method ?? 'GET', url }
  if (url.pathname.startsWith('/_sandbox/')) return control(options, parts)
  const page = parts.method === 'GET' && !url.pathname.startsWith('/v1/') ? await options.page(url.pathname) : undefined
  if (page) return show(page, response)
  await exchange(options, parts)
}

export const serve = (options: ServerOptions): Promise<Listening> =>
  listenOn(
    () =>
      createServer((request, response) => {
        // What is thrown here had no connection left to be told on.
        receive(options, request, response).catch(() => response.destroy())
      }),
    options.host,
    options.port,
  )
