import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../context.ts'

/** One line and one measurement per answered request. An event stream lasts as long as its tab, so it is only logged. */
export function logRequests(app: FastifyInstance, { log, metrics }: Pick<AppContext, 'log' | 'metrics'>): void {
  // None of these fields holds a secret, and looking for secrets costs more than writing the line.
  const http = log.child({ part: 'http' }, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 100) / 100
    const status = reply.statusCode
    const isStream = reply.getHeader('content-type') === 'text/event-stream'
    const { url, config } = request.routeOptions
    if (!isStream && request.url.startsWith('/api/')) {
      metrics.requests.record(ms, status)
      if (url?.startsWith('/api/')) metrics.endpoints.record(request.method, url.slice('/api'.length), ms, status)
    }
    // Without the query: a search may hold a name. Of some addresses a part is as good as a password.
    const path = (config as { hasSecretPath?: boolean }).hasSecretPath ? url : request.url.split('?', 1)[0]
    http.info({ requestId: request.id, method: request.method, path, status, ms, address: request.ip }, 'request')
    done()
  })
}
