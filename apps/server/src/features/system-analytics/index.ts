import { systemAnalytics } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { exportOverview } from './export-overview.ts'
import { getSystemAnalytics } from './get-system-analytics.ts'

export { systemOverviewExport } from './overview-rows.ts'
export { findTrafficOf } from './queries/traffic.ts'

export const systemAnalyticsRoutes = (kinds: Parameters<typeof exportOverview>[1]) =>
  routesOf(systemAnalytics, {
    getSystemAnalytics: async ({ ctx, query }) => ({
      success: true as const,
      data: await getSystemAnalytics(ctx, query),
    }),
    exportSystemAnalytics: async ({ ctx, body }) => ({
      success: true as const,
      data: await exportOverview(ctx, kinds, body),
    }),
  })
