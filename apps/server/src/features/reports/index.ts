import { reportsCustomers, reportsRevenue } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getChurned, getCustomers, getRenewals, getRowsOfCustomers } from './service/get-customers.ts'
import { getRevenue } from './service/get-revenue.ts'
import { getRows } from './service/get-rows.ts'

export { customerReportExport } from './exports/customers-export.ts'
export { churnedExport, renewalsExport } from './exports/list-exports.ts'
export { revenueExport } from './exports/revenue-export.ts'
export { resolvePeriod } from './period.ts'
export { findHome } from './queries/headline.ts'
export { hasTransactions } from './queries/settlements.ts'
export { comparedDays, daysIn as countDays, daysOf, timeZoneOf } from './range.ts'
export { getCustomers } from './service/get-customers.ts'
export { getRevenue, noTransactions } from './service/get-revenue.ts'

export const reportRoutes = [
  ...routesOf(reportsRevenue, {
    getRevenueReport: ({ ctx, query }) => getRevenue(ctx, query),
    getRevenueRows: ({ ctx, query }) => getRows(ctx, query),
  }),
  ...routesOf(reportsCustomers, {
    getCustomerReport: ({ ctx, query }) => getCustomers(ctx, query),
    getCustomerRows: ({ ctx, query }) => getRowsOfCustomers(ctx, query),
    listChurned: ({ ctx, query }) => getChurned(ctx, query),
    listRenewals: ({ ctx, query }) => getRenewals(ctx, query),
  }),
]
