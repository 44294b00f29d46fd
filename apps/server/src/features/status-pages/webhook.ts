import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../context.ts'
import { policyOf } from '../../platform/html.ts'
import { type PageContent, sendPlainPage } from '../../platform/http/plain-page.ts'
import { createRequestLimit, windowMs } from '../../platform/http/request-limit.ts'
import { readPage } from './files.ts'
import { styles } from './styles.ts'

const perMinute = 120
const policy = policyOf(styles)
const notFound = {
  ...{ status: 404, title: 'Status page not found' },
  paragraphs: ['The page may be switched off. Check the address.'],
}
const tooMany = { status: 429, title: 'Too many tries', paragraphs: ['Try again in a minute.'] }
const fresh = 'public, max-age=30, stale-if-error=86400'

/** Served from files alone, to anybody; the database is not asked. */
export function statusPages(ctx: Pick<AppContext, 'config' | 'clock'>): FastifyPluginAsync {
  const mayAsk = createRequestLimit(ctx.clock, perMinute)

  const refuse = (reply: FastifyReply, content: Omit<PageContent, 'company'>) =>
    sendPlainPage(reply, { ...content, company: ctx.config.settings.companyName })

  async function answer(request: FastifyRequest, reply: FastifyReply, slug: string | null) {
    if (!mayAsk(request.ip)) return refuse(reply.header('retry-after', windowMs / 1000), tooMany)
    const page = await readPage(ctx.config, slug)
    if (page === undefined) return refuse(reply, notFound)
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
