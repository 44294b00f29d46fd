export { billingJobs } from './jobs.ts'
export {
  invoiceColumns,
  jsonList,
  paymentColumns,
  paymentJoins,
  subscriptionColumns,
  subscriptionJoins,
} from './queries/columns.ts'
export { searchRows } from './queries/search-rows.ts'
export { customerMatches, findsCustomers, type SearchTerm, searchTerm } from './queries/search-term.ts'
export { billingRoutes } from './routes.ts'
export { getStats } from './service/get-stats.ts'
export { listPayments } from './service/list-payments.ts'
