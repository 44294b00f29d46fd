import * as events from '@agency/contract/events'
import { routesOf, streamed } from '../../platform/http/routes.ts'
import { createEventStreams } from './streams.ts'

export const eventRoutes = routesOf(events, {
  openEventStream: async ({ ctx, reply, reauthenticate }) => {
    ctx.instance(createEventStreams).open(reply, ctx.actor, reauthenticate)
    return streamed
  },
})
