import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { createRequestLimit } from '../../platform/http/request-limit.ts'
import { isRobot, mostBodyBytes, ownHost, readHit } from './hit.ts'
import { createBeaconReceiver } from './receiver.ts'
import { beaconScript } from './script.ts'

const perMinute = 120
const sitePattern = /^site_[a-z0-9]{16}$/
const scriptTag = `"${createHash('sha256').update(beaconScript).digest('base64url').slice(0, 27)}"`

type Asked = FastifyRequest<{ Params: { site: string } }>

/** The script for sites that have opted in, and the counting of what it tells: without a key, for the site's own pages. */
export function beaconCalls(ctx: AppContext): FastifyPluginAsync {
  const receiver = ctx.instance(createBeaconReceiver)
  const mayAsk = createRequestLimit(ctx.clock, perMinute)

  /** Answers the origin that may read the answer; anybody else is refused, without a word on whether there is such a site. */
  async function admit(request: Asked, reply: FastifyReply): Promise<void> {
    if (!mayAsk(request.ip)) throw new AppError('too_many_requests', 'Too many requests: try again in a minute')
    const { origin } = request.headers
    const hosts = sitePattern.test(request.params.site) ? await receiver.hostsFor(request.params.site) : null
    if (hosts === null || !ownHost(origin, hosts)) throw new AppError('not_found', 'There is nothing at this address')
    reply
      .header('access-control-allow-origin', origin)
      .header('vary', 'origin')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', 'no-store')
  }

  return async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: mostBodyBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('preClose', () => receiver.flush())
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/beacon.js',
      handler: (request, reply) => {
        reply
          .header('content-type', 'text/javascript; charset=utf-8')
          .header('cache-control', 'public, max-age=86400')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('etag', scriptTag)
        if (request.headers['if-none-match'] === scriptTag) return reply.code(304).send()
        return reply.send(request.method === 'HEAD' ? '' : beaconScript)
      },
    })
    scope.route<{ Params: { site: string } }>({
      method: 'OPTIONS',
      url: '/beacon/:site',
      handler: async (request, reply) => {
        await admit(request, reply)
        return reply
          .header('access-control-allow-methods', 'POST')
          .header('access-control-allow-headers', 'content-type')
          .header('access-control-max-age', '86400')
          .code(204)
          .send()
      },
    })
    scope.route<{ Params: { site: string } }>({
      method: 'POST',
      url: '/beacon/:site',
      bodyLimit: mostBodyBytes,
      handler: async (request, reply) => {
        await admit(request, reply)
        const hit = readHit(typeof request.body === 'string' ? request.body : '')
        if (!hit) throw new AppError('invalid_request', 'The body is view, or goal and its name')
        const userAgent = request.headers['user-agent']
        if (!isRobot(userAgent))
          receiver.count(request.params.site, hit, { address: request.ip, userAgent: userAgent ?? '' })
        return reply.code(204).send()
      },
    })
  }
}
