import { metricsExport } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { sendMetrics } from './service.ts'

export const metricsExportRoutes = routesOf(metricsExport, {
  exportMetrics: ({ ctx, reply }) => sendMetrics(ctx, reply),
})
