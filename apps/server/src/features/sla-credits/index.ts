import { slaCredits } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { findPromises } from './queries/promises.ts'
import { answerCredit, getCredits, giveCredit } from './service/credits.ts'
import { setPromise } from './service/promises.ts'

export { slaCreditHandlers } from './action/resolve.ts'

export const slaCreditRoutes = routesOf(slaCredits, {
  listUptimePromises: async ({ ctx }) => ({ promises: await findPromises(ctx) }),
  setUptimePromise: async ({ ctx, params, body }) => ({ promise: await setPromise(ctx, params.id, body) }),
  getSlaCredits: ({ ctx, params }) => getCredits(ctx, params.id),
  giveSlaCredit: {
    handle: async ({ ctx, params, body, claim }) => ({ credit: await giveCredit(ctx, params.id, body, claim) }),
    replay: async ({ ctx, subject }) => ({ credit: await answerCredit(ctx, subject) }),
  },
})
