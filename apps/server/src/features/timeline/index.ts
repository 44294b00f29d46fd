import { timeline } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { listTimeline } from './service.ts'

export const timelineRoutes = routesOf(timeline, {
  listTimeline: ({ ctx, params, query }) => listTimeline(ctx, params.id, query),
})
