import { reportSql } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getReportSql } from './get-report-sql.ts'

export const reportSqlRoutes = routesOf(reportSql, {
  getReportSql: ({ ctx, query }) => getReportSql(ctx, query),
})
