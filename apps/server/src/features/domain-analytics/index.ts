import { domainAnalytics } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getZoneAnalytics } from './service/get-zone-analytics.ts'
import { listAnalytics } from './service/list-analytics.ts'

export { domainExport } from './domain-export.ts'
export { domainAnalyticsJobs } from './jobs.ts'
export { analyticsCache } from './kept-cache.ts'
export { keepDays } from './service/keep-days.ts'

export const domainAnalyticsRoutes = routesOf(domainAnalytics, {
  getZoneAnalytics: ({ ctx, params, query }) => getZoneAnalytics(ctx, params.id, query),
  listAnalytics: ({ ctx, query }) => listAnalytics(ctx, query.range),
})
