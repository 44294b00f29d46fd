import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FaultEffect, Faults } from '../../faults.ts'
import { type Listening, listenAgain } from '../../http/listen.ts'
import type { RequestLog } from '../../request-log.ts'
import type { Queryable, Store } from '../../store/store.ts'
import type { Steering } from '../steering.ts'
import { inTransaction } from '../transaction.ts'
import { authenticate, authorize } from './authenticate.ts'
import { readBody } from './body.ts'
import { badParameter, CloudflareError, noMethod, noRoute, ofStatus, tooMany } from './errors.ts'
import { failureOf, leave, type Sent, successOf } from './reply.ts'
import { type RequestLimiter, requestLimiter, type Standing } from './request-limit.ts'
import { type Account, type Answer, type Found, findRoute, type Route } from './route.ts'

export type CloudflareServerOptions = {
  host: string
  port: number
  store: Store
  faults: Faults
  log: RequestLog
  routes: readonly Route[]
  account: Account
  steering: Steering
  purged: (hosts: string[]) => void
  /** World time in milliseconds, and the time on the wall. */
  now: () => number
  wallNow: () => number
}

type Limits = { requests: RequestLimiter; queries: RequestLimiter }

type Exchange = {
  limits: Limits
  request: IncomingMessage
  response: ServerResponse
  method: string
  url: URL
  path: string
  /** Undefined where there is no such address, or not with this method. */
  found: Found | undefined
  isOtherMethod: boolean
  standing: Standing
  effect: FaultEffect
}

export const apiBase = '/client/v4'
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function refuseOthers({ query, body }: Route, asked: URLSearchParams, given: Record<string, unknown>): void {
  const other = [
    ...[...asked.keys()].filter((name) => !query?.includes(name)),
    ...Object.keys(given).filter((name) => !body?.includes(name)),
  ][0]
  if (other !== undefined) throw badParameter(`The sandbox does not know ${other} here`)
}

async function answer(options: CloudflareServerOptions, exchange: Exchange, body: Record<string, unknown>) {
  const { account, steering, store, purged } = options
  const { found, effect, url, standing, path, limits } = exchange
  if (standing.blockedSeconds > 0) throw tooMany(standing.blockedSeconds)
  authenticate(exchange.request, account.token, found?.route.tellsTokenStatus ?? false)
  if (effect.status === 429) throw tooMany(effect.retryAfter ?? 300)
  if (effect.status !== undefined) throw ofStatus(effect.status, effect.message)
  if ('answer' in effect) return successOf({ whole: effect.answer as Record<string, unknown> })
  if (!found) throw exchange.isOtherMethod ? noMethod() : noRoute(path)
  authorize(steering, found.route)
  refuseOthers(found.route, url.searchParams, body)
  const countQuery = () => limits.queries(steering.graphqlLimit, steering.blockMs)
  const query = new URLSearchParams(url.searchParams)
  const asked = query.get('page')
  if (effect.malformed === 'endless_pages') query.set('page', '1')
  const call = {
    ids: found.ids,
    query,
    body,
    schema: store.schema,
    now: options.now(),
    account,
    steering,
    purged,
    countQuery,
  }
  const write = found.route.method !== 'GET' && found.route.name !== 'graphql'
  const run = (db: Queryable): Promise<Answer> => found.route.answer({ ...call, db })
  const made = write ? await inTransaction(store, run) : await run(store.pool)
  if ('info' in made && made.info && asked) made.info.page = Number(asked)
  return successOf(made)
}

function refusalOf(error: unknown): Sent {
  if (error instanceof CloudflareError) return failureOf(error)
  return failureOf(ofStatus(500, error instanceof Error ? error.message : undefined))
}

async function receive(options: CloudflareServerOptions, exchange: Exchange) {
  const { request, response, method, url, effect } = exchange
  const started = performance.now()
  let params: Record<string, unknown> = {}
  let sent: Sent | undefined
  if (effect.delayMs) await wait(effect.delayMs)
  exchange.standing = exchange.limits.requests(options.steering.requestLimit, options.steering.blockMs)
  if (effect.connection !== 'destroy') {
    try {
      const body = await readBody(request)
      params = { ...Object.fromEntries(url.searchParams), ...body }
      sent = await answer(options, exchange, body)
    } catch (error) {
      sent = refusalOf(error)
    }
  }
  const status = leave(response, sent ?? refusalOf(undefined), exchange.standing, effect)
  options.log.add({
    provider: 'cloudflare',
    id: `req_${randomBytes(7).toString('hex')}`,
    at: options.wallNow(),
    method,
    path: url.pathname,
    name: exchange.found?.route.name ?? null,
    params,
    idempotencyKey: null,
    replayed: false,
    status,
    durationMs: Math.round(performance.now() - started),
    fault: Object.keys(effect).length > 0 ? JSON.stringify(effect) : null,
  })
}

export function serveCloudflare(options: CloudflareServerOptions): Promise<Listening> {
  const limits = { requests: requestLimiter(options.wallNow), queries: requestLimiter(options.wallNow) }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const method = request.method ?? 'GET'
    const path = url.pathname.startsWith(`${apiBase}/`) ? url.pathname.slice(apiBase.length) : url.pathname
    const known = findRoute(options.routes, method, path)
    const isOtherMethod = known === 'other_method'
    const found = known === 'other_method' ? undefined : known
    const fault = options.faults.take({ name: found?.route.name ?? null, method, path: url.pathname }, 'cloudflare')
    const standing = { blockedSeconds: 0, remaining: 0, resetSeconds: 0 }
    const effect = fault?.effect ?? {}
    await receive(options, { limits, request, response, method, url, path, found, isOtherMethod, standing, effect })
  }
  const make = () =>
    createServer((request, response) => {
      // What is thrown here had no connection left to be told on.
      handle(request, response).catch(() => response.destroy())
    })
  return listenAgain(make, options.host, options.port)
}
