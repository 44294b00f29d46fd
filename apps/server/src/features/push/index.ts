import { push } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getPush, type OnFirst, sendTest, subscribe, unsubscribe } from './service.ts'

export { findReceivers, hasSubscriptions } from './queries.ts'
export { type PushPayload, pushTo } from './send-push.ts'

/** `onFirst`: whoever keeps the channels, in the transaction in which a browser is subscribed. */
export const pushRoutes = (onFirst: OnFirst) =>
  routesOf(push, {
    getPush: ({ ctx }) => getPush(ctx),
    subscribePush: async ({ ctx, body }) => ({ subscription: await subscribe(ctx, body, onFirst) }),
    unsubscribePush: ({ ctx, params }) => unsubscribe(ctx, params.id),
    testPush: ({ ctx, params }) => sendTest(ctx, params.id),
  })
