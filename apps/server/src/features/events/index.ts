import * as events from '@agency/contract/events'
import { routesOf } from '../../platform/http/routes.ts'
import { openStream } from './streams.ts'

export { createEventStreams } from './streams.ts'

export const eventRoutes = routesOf(events, {
  openEventStream: openStream,
})
