import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../context.ts'
import { AppError } from '../errors.ts'
import { createMaintenance } from '../maintenance.ts'

/** Signing in and out, and whatever is done about the restore itself: its order is repeated without harm, as any other. */
const open = /^\/api\/(auth\/|admin\/restores\/|admin\/backups\/[^/?]+\/restore(\?|$))/
const reading = new Set(['GET', 'HEAD', 'OPTIONS'])
const retryAfterS = 15

/** While a backup is restored nothing is changed: it would be gone, or come twice. Stripe delivers again later by itself. */
export function refuseInMaintenance(app: FastifyInstance, ctx: AppContext): void {
  const maintenance = ctx.instance(createMaintenance)
  app.addHook('onRequest', (request, reply, done) => {
    if (maintenance.current() === null || reading.has(request.method)) return done()
    if (open.test(request.url)) return done()
    // Whoever has seen that it is done may be ahead of the news of it.
    void maintenance.look().then(() => {
      if (maintenance.current() === null) return done()
      reply.header('retry-after', String(retryAfterS))
      done(
        new AppError('unavailable', 'A backup is being restored. The console is read-only until the restore is done.', {
          retryAfter: retryAfterS,
        }),
      )
    })
  })
}
