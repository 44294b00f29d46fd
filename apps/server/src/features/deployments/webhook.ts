import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { signatureHeader, timestampHeader } from './providers/hook-signature.ts'
import { callbackPath } from './runner/order.ts'
import { receiveReport } from './service/receive-report.ts'

const maxBytes = 1024 * 1024
const noBody = Buffer.alloc(0)

/** Takes what builders tell: signed instead of authenticated, and read as the bytes that were signed. */
export function deployCallbacks(ctx: AppContext): FastifyPluginAsync {
  return async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.post<{ Params: { token: string } }>(
      `${callbackPath}/:token`,
      { bodyLimit: maxBytes, config: { hasSecretPath: true } },
      async (request, reply) => {
        const outcome = await receiveReport(ctx, {
          token: request.params.token,
          body: Buffer.isBuffer(request.body) ? request.body : noBody,
          timestamp: request.headers[timestampHeader],
          signature: request.headers[signatureHeader],
        })
        if ('refused' in outcome) {
          ctx.log.warn({ reason: outcome.refused, address: request.ip }, 'a deploy callback was refused')
          throw new AppError(outcome.isUnknown ? 'not_found' : 'invalid_request', outcome.refused)
        }
        return reply.code(outcome.state === 'over' ? 410 : 200).send({ received: true, state: outcome.state })
      },
    )
  }
}
