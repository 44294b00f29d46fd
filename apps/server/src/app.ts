import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import { acknowledgePage } from './features/alerts/index.ts'
import { createAuthenticate } from './features/auth/index.ts'
import { beaconCalls } from './features/beacon/index.ts'
import { createLogStreams, deployCallbacks } from './features/deployments/index.ts'
import { createEventStreams } from './features/events/index.ts'
import { flagCalls } from './features/feature-flags/index.ts'
import { answersDatabase, isStarting } from './features/health/index.ts'
import { routes } from './features/index.ts'
import { stripeWebhook } from './features/mirror/index.ts'
import { heartbeatCalls } from './features/probes/index.ts'
import { unsubscribePage } from './features/report-schedules/index.ts'
import { createProxyWatch, plainTransport } from './features/security/index.ts'
import { statusPages } from './features/status-pages/index.ts'
import { databaseFailureOf } from './platform/database-failure.ts'
import { createDatabaseTrouble } from './platform/database-trouble.ts'
import { AppError } from './platform/errors.ts'
import { endConnectionsOnClose } from './platform/http/closing.ts'
import { takeCspReports } from './platform/http/csp-reports.ts'
import { answerProblem } from './platform/http/error-handler.ts'
import { watchForwarded } from './platform/http/forwarded.ts'
import { readJsonBodies } from './platform/http/json-body.ts'
import { logRequests } from './platform/http/log-requests.ts'
import { answerClientErrors, refuseOddRequests } from './platform/http/malformed.ts'
import { type Authenticate, mountRoutes } from './platform/http/mount.ts'
import { openApiRoute } from './platform/http/openapi-route.ts'
import { servePlainPage } from './platform/http/plain-page.ts'
import { serveProbes } from './platform/http/probes.ts'
import { refuseInMaintenance } from './platform/http/refuse-in-maintenance.ts'
import type { MountedRoute } from './platform/http/routes.ts'
import { commonHeaders } from './platform/http/security-headers.ts'
import { traceRequests } from './platform/http/trace-requests.ts'
import { serveWebApp } from './platform/http/web-app.ts'

export type AppOptions = {
  /** Replaced in tests. */
  authenticate?: Authenticate
  routes?: readonly MountedRoute[]
  webFolder?: string
  /** How long a request may take to arrive, and how often that is looked at. */
  arrival?: { withinMs: number; lookEveryMs: number }
}

const defaultArrival = { withinMs: 30_000, lookEveryMs: 5000 }

const builtWebApp = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The whole console as one HTTP application; it does not listen yet. */
export function buildApp(ctx: AppContext, options: AppOptions = {}): FastifyInstance {
  const headers = commonHeaders(ctx.config)
  const trouble = ctx.instance(createDatabaseTrouble)
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = databaseFailureOf(error)
    if (failure) trouble.note(failure)
    return answerProblem(ctx.log, headers, error, request, reply)
  }
  const { withinMs, lookEveryMs } = options.arrival ?? defaultArrival
  const app = Fastify({
    // Addresses that cannot be read are answered before any hook runs.
    frameworkErrors: (error, request, reply) => {
      answer(error, request as FastifyRequest, reply as FastifyReply)
    },
    trustProxy: trustedProxies(ctx.config.trustProxy),
    genReqId: createRequestIds(),
    bodyLimit: 1024 * 1024,
    requestTimeout: withinMs,
    // Node takes the longer of the two times for bodies. Without a host the refusal is our own, with our headers.
    http: { connectionsCheckingInterval: lookEveryMs, headersTimeout: withinMs, requireHostHeader: false },
    clientErrorHandler: answerClientErrors(headers),
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
  })
  app.setErrorHandler(answer)
  app.setNotFoundHandler((request, reply) =>
    answer(new AppError('not_found', 'There is nothing at this address'), request, reply),
  )
  traceRequests(app, ctx.tracer)
  logRequests(app, ctx)
  refuseOddRequests(app, headers)
  refuseInMaintenance(app, ctx)
  watchForwarded(app, ctx.instance(createProxyWatch).note)
  readJsonBodies(app)
  app.addHook('preClose', async () => ctx.instance(createEventStreams).closeAll())
  app.addHook('preClose', async () => ctx.instance(createLogStreams).closeAll())
  endConnectionsOnClose(app)
  const authenticate = options.authenticate ?? createAuthenticate(ctx)
  // Over plain HTTP, but for loopback, browsers do not listen when they are told to clear what they keep.
  const mayStore = plainTransport(ctx.config) === null
  mountRoutes(app, ctx, authenticate, options.routes ?? [...routes, openApiRoute], headers, mayStore)
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      reply.headers(headers).header('x-request-id', request.id)
      done()
    })
    serveProbes(scope, { isStarting: () => isStarting(ctx), answersDatabase: () => answersDatabase(ctx) })
    takeCspReports(scope, ctx)
    scope.register(stripeWebhook(ctx))
    scope.register(deployCallbacks(ctx))
    servePlainPage(scope, ctx, acknowledgePage)
    servePlainPage(scope, ctx, unsubscribePage)
    scope.register(heartbeatCalls(ctx))
    scope.register(beaconCalls(ctx))
    scope.register(statusPages(ctx))
    scope.register(flagCalls(ctx, authenticate))
    serveWebApp(scope, options.webFolder ?? builtWebApp)
  })
  return app
}

/** A number counts the proxies in front, nearest first. */
function trustedProxies(trust: Config['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust
}

/** Cheap, and unlike a plain counter not repeated by the next start. */
function createRequestIds(): () => string {
  const start = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}
