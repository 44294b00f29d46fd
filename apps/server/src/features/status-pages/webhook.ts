import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { policyOf } from '../../platform/html.ts'
import { createRequestLimit } from '../../platform/http/request-limit.ts'
import { readPage } from './files.ts'
import { styles } from './styles.ts'

const perMinute = 120
const policy = policyOf(styles)
const fresh = 'public, max-age=30, stale-if-error=86400'

/** Served from files alone, to anybody; the database is not asked. */
export function statusPages(ctx: Pick<AppContext, 'config' | 'clock'>): FastifyPluginAsync {
  const mayAsk = createRequestLimit(ctx.clock, perMinute)

  async function answer(request: FastifyRequest, reply: FastifyReply, slug: string | null) {
    if (!mayAsk(request.ip)) throw new AppError('too_many_requests', 'Too many requests: try again in a minute')
    const page = await readPage(ctx.config, slug)
    if (page === undefined) throw new AppError('not_found', 'There is nothing at this address')
    const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 27)}"`
    reply
      .header('content-security-policy', policy)
      .header('cache-control', fresh)
      .header('etag', etag)
      .header('content-type', 'text/html; charset=utf-8')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.send(request.method === 'HEAD' ? '' : page)
  }

  return async (app: FastifyInstance) => {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/status',
      handler: (request, reply) => answer(request, reply, null),
    })
    app.route({
      method: ['GET', 'HEAD'],
      url: '/status/:slug',
      handler: (request, reply) => answer(request, reply, (request.params as { slug: string }).slug),
    })
  }
}
