import type { FastifyInstance, FastifyRequest } from 'fastify'
import { runIn, type Span, type Tracer } from '../tracing.ts'

/** A span for each request, named by the pattern of its route: neither address nor body is told. */
export function traceRequests(app: FastifyInstance, tracer: Tracer | null): void {
  if (!tracer) return
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const span = tracer.start(request.method, 'server')
    spans.set(request, span)
    runIn(span, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    const route = request.routeOptions.url ?? 'none'
    span?.rename(`${request.method} ${route}`)
    span?.set({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'request.id': request.id,
    })
    if (reply.statusCode >= 500) span?.fail(new Error('server error'))
    span?.end()
    done()
  })
}
