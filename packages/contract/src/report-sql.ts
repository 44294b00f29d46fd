import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { currency } from './primitives.ts'
import { rangeQuery } from './reports-range.ts'

export const sqlReports = ['revenue', 'customers', 'usage', 'performance'] as const

export const reportFigureSql = z.object({
  /** As the report names it. */
  figure: z.string(),
  /** One SELECT over the views of the query console; its value, or its column of the same name, is the figure. */
  sql: z.string(),
})
export type ReportFigureSql = z.output<typeof reportFigureSql>

export const getReportSql = endpoint({
  method: 'GET',
  path: '/reports/sql',
  permission: 'admin.system',
  summary: 'The figures of a report as queries, for the query console',
  query: z.strictObject({ report: z.enum(sqlReports), ...rangeQuery, currency: currency.optional() }),
  response: z.object({ figures: z.array(reportFigureSql) }),
  topics: ['settings'],
  isPersonal: true,
})
