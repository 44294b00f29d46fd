import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { AppContext } from '../../context.ts'
import { WebhookRefused } from '../../integrations/stripe/errors.ts'
import { AppError } from '../../platform/errors.ts'
import { webhookPath } from './endpoint.ts'
import { receiveDelivery } from './inbox.ts'

const maxBytes = 1024 * 1024
const noBody = Buffer.alloc(0)

/** Takes the provider's deliveries: signed instead of authenticated, and read as the bytes that were signed. */
export function stripeWebhook(ctx: AppContext): FastifyPluginAsync {
  return async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(webhookPath, { bodyLimit: maxBytes }, async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : noBody
      try {
        const received = await receiveDelivery(ctx, raw, request.headers['stripe-signature'])
        return reply.code(200).send({ received: true, state: received })
      } catch (error) {
        if (!(error instanceof WebhookRefused)) throw error
        ctx.log.warn({ reason: error.message, address: request.ip }, 'webhook delivery refused')
        throw new AppError('invalid_request', error.message)
      }
    })
  }
}
