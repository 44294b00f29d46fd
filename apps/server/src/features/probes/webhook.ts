import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { AppContext } from '../../context.ts'
import { createHeartbeatReceiver } from './service/take-heartbeat.ts'

const bodyLimit = 16 * 1024

/** Takes the calls of sites' hosts: whoever knows the address may call it, and nothing of a body is read. */
export function heartbeatCalls(ctx: AppContext): FastifyPluginAsync {
  const receive = ctx.instance(createHeartbeatReceiver)
  return async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, _body, done) => done(null, undefined))
    scope.route<{ Params: { token: string } }>({
      method: ['GET', 'POST'],
      url: '/heartbeats/:token',
      bodyLimit,
      config: { hasSecretPath: true },
      handler: async (request, reply) => {
        await receive(request.params.token, request.ip)
        return reply.header('cache-control', 'no-store').send({ received: true })
      },
    })
  }
}
