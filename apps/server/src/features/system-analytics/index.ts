import { systemAnalytics } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getSystemAnalytics } from './get-system-analytics.ts'

export { findTrafficOf } from './queries/traffic.ts'

export const systemAnalyticsRoutes = routesOf(systemAnalytics, {
  getSystemAnalytics: async ({ ctx, query }) => ({
    success: true as const,
    data: await getSystemAnalytics(ctx, query),
  }),
})
