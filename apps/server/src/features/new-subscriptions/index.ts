import { newSubscriptions } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { answerSubscription, createSubscription } from './service/create.ts'
import { getNewSubscription } from './service/get-new.ts'
import { previewSubscription } from './service/preview.ts'

export { newSubscriptionHandlers } from './delivery.ts'

export const newSubscriptionRoutes = routesOf(newSubscriptions, {
  getNewSubscription: ({ ctx, params }) => getNewSubscription(ctx, params.id),
  previewSubscription: ({ ctx, body }) => previewSubscription(ctx, body),
  createSubscription: {
    handle: ({ ctx, body, claim }) => createSubscription(ctx, body, claim),
    replay: ({ ctx, subject }) => answerSubscription(ctx, subject),
  },
})
