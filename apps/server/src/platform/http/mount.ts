import type { EndpointConfig } from '@agency/contract/endpoint'
import { isKeyScope, type KeyScope, type Permission } from '@agency/contract/permissions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, AppContext, RequestContext } from '../../context.ts'
import { inTransaction } from '../../context.ts'
import { recordAudit } from '../audit.ts'
import { awaitedFor } from '../awaited.ts'
import { createCaches } from '../caches.ts'
import { AppError } from '../errors.ts'
import { once } from '../idempotency-keys.ts'
import { claimedAddressOf } from './forwarded.ts'
import { plainNumbers } from './plain-numbers.ts'
import { createResponseCache, type ResponseCache } from './response-cache.ts'
import { type Call, type MountedRoute, RawJson, streamed } from './routes.ts'
import { createSendCached, jsonType, type SendCached } from './send-cached.ts'

/** Finds out who calls; throws `unauthenticated`. Answers without a promise when the key is known already. */
export type Authenticate = (request: FastifyRequest) => Actor | Promise<Actor>

const maxKeyLength = 255
/** All calls to providers for one request end in this time; what remains of ten seconds is for the answer. */
const awaitedMs = 9500

export const anonymous: Actor = {
  type: 'anonymous',
  id: 'anonymous',
  name: 'Unknown',
  role: 'none',
  permissions: new Set(),
}

/** What the caller must hold. */
const isNeeded = (access: EndpointConfig['permission']): access is Permission | KeyScope =>
  access !== 'any' && access !== 'signing_in' && access !== 'public'

const holds = ({ permissions, scopes }: Actor, needed: Permission | KeyScope): boolean =>
  isKeyScope(needed) ? (scopes?.has(needed) ?? false) : permissions.has(needed)

/** A session whose sign-in is not complete may only go on with it. */
function refuseHalfSignedIn({ stage }: Actor, { permission }: EndpointConfig): void {
  if (stage === undefined || stage === 'open' || permission === 'signing_in') return
  throw new AppError('sign_in_incomplete', 'Complete the sign-in first')
}

/** Answers of 'any' endpoints may depend on who asks, so only those behind one permission are shared. */
const isCacheable = (endpoint: EndpointConfig): boolean =>
  endpoint.method === 'GET' &&
  isNeeded(endpoint.permission) &&
  (endpoint.topics?.length ?? 0) > 0 &&
  !endpoint.isPersonal &&
  endpoint.produces === undefined

/** What a call carries, for whoever answers it past the mount too. */
export function contextOf(ctx: AppContext, actor: Actor, request: FastifyRequest): RequestContext {
  return {
    ...ctx,
    actor,
    requestId: request.id,
    address: request.ip,
    claimedAddress: claimedAddressOf(request),
    userAgent: request.headers['user-agent']?.slice(0, 400) ?? null,
  }
}

/** Says that the caller lacks a permission, and writes down that somebody tried. */
export async function refuse(
  ctx: RequestContext,
  endpoint: Pick<EndpointConfig, 'method' | 'path'>,
  permission: Permission | KeyScope,
): Promise<never> {
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, {
      action: 'access.denied',
      resource: 'endpoint',
      id: `${endpoint.method} ${endpoint.path}`,
      outcome: 'denied',
      after: { permission },
    }),
  )
  throw new AppError('forbidden', `This needs the permission ${permission}`, { permission })
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength)
    throw new AppError('invalid_request', `Idempotency-Key must have 1 to ${maxKeyLength} characters`, {
      parameter: 'Idempotency-Key',
    })
  return key
}

const callerOf = ({ type, id }: Actor): string => `${type} ${id}`

/** What the call is about, as its address says it. */
function requestOf({ method, path }: EndpointConfig, params: Readonly<Record<string, string>> = {}): string {
  return `${method} ${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`
}

/** Under a key the call acts once, and a repeat is answered by what became of it. */
function answerCall({ endpoint, handler }: MountedRoute, call: Call<EndpointConfig>) {
  if (typeof handler === 'function') return handler(call)
  const { ctx, params, body } = call
  const key = idempotencyKeyOf(call.request)
  const asked = key === null ? null : { key, caller: callerOf(ctx.actor), request: requestOf(endpoint, params), body }
  const { handle, replay } = handler
  return once(ctx, asked, {
    handle: (claim) => handle({ ...call, claim }),
    replay: replay && ((subject, claim) => replay({ ...call, claim, subject })),
  })
}

type CheckedRoute = MountedRoute & { checkNumbers: ReturnType<typeof plainNumbers> }

async function run(
  route: CheckedRoute,
  ctx: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  reauthenticate: () => Actor | Promise<Actor>,
): Promise<string | typeof streamed> {
  const { endpoint } = route
  const params = endpoint.params?.parse(request.params) as undefined
  route.checkNumbers(request.query)
  const query = endpoint.query?.parse(request.query) as undefined
  const body = endpoint.body?.parse(request.body) as undefined
  const given = { ctx, params, query, body, request, reply, reauthenticate }
  const answer = await awaitedFor(awaitedMs, async () => answerCall(route, given))
  if (answer === streamed) return streamed
  return answer instanceof RawJson ? answer.text : JSON.stringify(answer)
}

type Mounting = {
  ctx: AppContext
  authenticate: Authenticate
  headers: Readonly<Record<string, string>>
  cache: ResponseCache
  sendCached: SendCached
}

function handlerOf({ ctx, authenticate, headers, cache, sendCached }: Mounting, mounted: MountedRoute) {
  const { endpoint } = mounted
  const route: CheckedRoute = { ...mounted, checkNumbers: plainNumbers(endpoint) }
  const needed = isNeeded(endpoint.permission) ? endpoint.permission : null
  const topics = isCacheable(endpoint) ? endpoint.topics : undefined
  const { variesWith } = endpoint

  /** Under which an answer is shared. */
  const keyOf = ({ permissions }: Actor, { url }: FastifyRequest): string =>
    variesWith ? `${url} ${variesWith.filter((permission) => permissions.has(permission))}` : url

  async function read(actor: Actor, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    refuseHalfSignedIn(actor, endpoint)
    const context = contextOf(ctx, actor, request)
    const again = () => authenticate(request)
    if (needed && !holds(actor, needed)) return refuse(context, endpoint, needed)
    if (topics) {
      // What is kept is never a stream.
      const answer = () => run(route, context, request, reply, again) as Promise<string>
      sendCached(await cache.load(keyOf(actor, request), ctx.changes.version(topics), answer), request, reply)
      return reply
    }
    reply.headers(headers).header('x-request-id', request.id)
    const text = await run(route, context, request, reply, again).finally(() => {
      if (endpoint.method !== 'GET') ctx.changes.noteOwnChange()
    })
    return text === streamed
      ? reply
      : reply.header('content-type', jsonType).header('cache-control', 'no-store').send(text)
  }

  // An answer from the cache is sent without a promise: nothing is returned then, and the framework waits for nothing.
  function answer(actor: Actor, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined {
    if (topics && needed && holds(actor, needed)) {
      const cached = cache.find(keyOf(actor, request), ctx.changes.version(topics))
      if (cached) {
        sendCached(cached, request, reply)
        return undefined
      }
    }
    return read(actor, request, reply)
  }

  return (request: FastifyRequest, reply: FastifyReply) => {
    if (endpoint.permission === 'public') return answer(anonymous, request, reply)
    const actor = authenticate(request)
    if (!(actor instanceof Promise)) return answer(actor, request, reply)
    return actor.then(async (known) => {
      await answer(known, request, reply)
      return reply
    })
  }
}

/** Mounts every endpoint below `/api`, each behind the permission that it declares. */
export function mountRoutes(
  app: FastifyInstance,
  ctx: AppContext,
  authenticate: Authenticate,
  routes: readonly MountedRoute[],
  headers: Readonly<Record<string, string>>,
  /** Browsers may keep answers, to ask for them by their tag; only where they can be told to clear them. */
  mayStore = true,
): void {
  const cache = createResponseCache(ctx.instance(createCaches))
  const mounting = { ctx, authenticate, headers, cache, sendCached: createSendCached(headers, mayStore) }
  for (const route of routes) {
    const { method, path, permission, isAlsoAtRoot, tellsSuccess = false } = route.endpoint
    if (!permission) throw new Error(`${route.name} declares no permission`)
    for (const url of isAlsoAtRoot ? [`/api${path}`, path] : [`/api${path}`])
      app.route({ method, url, config: { tellsSuccess }, handler: handlerOf(mounting, route) })
  }
}
