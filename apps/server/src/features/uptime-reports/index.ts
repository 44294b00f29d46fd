import { uptimeReports } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { getReport } from './get-report.ts'
import { sendReports } from './send.ts'

export { findSpanReport, type SpanReport, totalOf, uptimeOf } from './report.ts'
export { outageSpan, percentText as uptimeText, spanText } from './words.ts'

export const uptimeReportRoutes = routesOf(uptimeReports, {
  getUptimeReport: async ({ ctx, params, query }) => ({ report: await getReport(ctx, params.id, query.month) }),
})

export const uptimeReportJobs = [
  job({
    name: 'uptime-reports.send',
    input: z.object({}),
    schedule: '10 6 1-7 * *',
    policy: 'alone',
    expireS: 900,
    run: (ctx, _input, run) => sendReports(ctx, run),
  }),
]
