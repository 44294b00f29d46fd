import { domainAnalytics } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { exportAnalytics } from './service/export-analytics.ts'
import { getZoneAnalytics } from './service/get-zone-analytics.ts'
import { listAnalytics } from './service/list-analytics.ts'

export { domainAnalyticsJobs } from './jobs.ts'
export { keepDays } from './service/keep-days.ts'

export const domainAnalyticsRoutes = routesOf(domainAnalytics, {
  getZoneAnalytics: ({ ctx, params, query }) => getZoneAnalytics(ctx, params.id, query),
  exportZoneAnalytics: ({ ctx, params, query, reply }) => exportAnalytics(ctx, params.id, query, reply),
  listAnalytics: ({ ctx, query }) => listAnalytics(ctx, query.range),
})
