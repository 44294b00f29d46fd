export { billingJobs } from './jobs.ts'
export {
  invoiceColumns,
  jsonList,
  paymentColumns,
  paymentJoins,
  planName,
  subscriptionColumns,
  subscriptionJoins,
} from './queries/columns.ts'
export { searchPayments } from './queries/search-payments.ts'
export { searchRows } from './queries/search-rows.ts'
export { searchSubscriptions } from './queries/search-subscriptions.ts'
export { customerMatches, escapePattern, findsCustomers, type SearchTerm, searchTerm } from './queries/search-term.ts'
export { billingRoutes } from './routes.ts'
export { getStats } from './service/get-stats.ts'
export { listPayments } from './service/list-payments.ts'
