import { reportsUsage } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getPerformance } from './get-performance.ts'
import { getUsage, listUsageSites } from './get-usage.ts'

export { getPerformance } from './get-performance.ts'
export { getUsage, listUsageSites } from './get-usage.ts'
export { type Days, resolveRange } from './range.ts'
export { performanceExport, usageExport } from './report-exports.ts'

export const usageReportRoutes = routesOf(reportsUsage, {
  getUsageReport: ({ ctx, query }) => getUsage(ctx, query),
  listUsageSites: ({ ctx, query }) => listUsageSites(ctx, query),
  getPerformanceReport: ({ ctx, query }) => getPerformance(ctx, query),
})
