export { billingJobs } from './jobs.ts'
export { actionRequest, leaseMs, resendMs } from './money-actions/action.ts'
export { answerAction, beginAction, isTakenOver, type Started } from './money-actions/begin.ts'
export { isProven, keepLease, markSent, mayBeResent } from './money-actions/lease.ts'
export type { Handler } from './money-actions/resolve.ts'
export { openText } from './money-actions/sentences.ts'
export { leaveUnknown, type Seen, settleDone, settleFailed, unrecorded } from './money-actions/settle.ts'
export {
  isKeptFailure,
  mayBeAskedAbout,
  neverReached,
  type Refusal,
  reasonOf,
  refusalOf,
} from './money-actions/verdict.ts'
export { paymentsExport } from './payments-export.ts'
export {
  invoiceColumns,
  jsonList,
  paymentColumns,
  paymentJoins,
  planName,
  subscriptionColumns,
  subscriptionJoins,
} from './queries/columns.ts'
export { type ActionRow, claimUnknown, findSaves, forgetPayloads } from './queries/money-actions.ts'
export { searchPayments } from './queries/search-payments.ts'
export { searchRows } from './queries/search-rows.ts'
export { searchSubscriptions } from './queries/search-subscriptions.ts'
export { customerMatches, escapePattern, findsCustomers, type SearchTerm, searchTerm } from './queries/search-term.ts'
export { billingRoutes } from './routes.ts'
export { getStats } from './service/get-stats.ts'
export { listPayments } from './service/list-payments.ts'
export { subscriptionsExport } from './subscriptions-export.ts'
export { trendOf } from './trend.ts'
