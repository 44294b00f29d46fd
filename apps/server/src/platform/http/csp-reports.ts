import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../context.ts'
import { createRequestLimit } from './request-limit.ts'

const bodyLimit = 8 * 1024
const perMinute = 20

/** Browsers tell here, without a key, what the page's policy refused. It is logged, and no more than a little of it. */
export function takeCspReports(app: FastifyInstance, { log, clock }: Pick<AppContext, 'log' | 'clock'>): void {
  const mayLog = createRequestLimit(clock, perMinute)

  app.register(async (scope) => {
    const types = ['application/csp-report', 'application/reports+json', 'application/json']
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<string>(types, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/csp-report', { bodyLimit }, (request, reply) => {
      if (mayLog('report'))
        log.warn({ part: 'csp', report: readReport(String(request.body)) }, 'the page broke its policy')
      reply.code(204).send()
    })
  })
}

function readReport(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body.slice(0, 500)
  }
}
