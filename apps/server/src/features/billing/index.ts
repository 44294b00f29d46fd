export { actionRequest, isProven, mayBeResent } from './money-actions/action.ts'
export { adoptRefunds } from './money-actions/adopt-refunds.ts'
export { answerAction, beginAction, type Started } from './money-actions/begin.ts'
export { periodAfter } from './money-actions/changes/period-after.ts'
export { makeOrFind } from './money-actions/make-or-find.ts'
export { type ObjectWay, objectActions } from './money-actions/object-actions.ts'
export { perform, type Work } from './money-actions/perform.ts'
export { type Handler, resolveNow, resolveRun } from './money-actions/resolve.ts'
export { openText } from './money-actions/sentences.ts'
export type { Done } from './money-actions/settle.ts'
export {
  NotDone,
  neverReached,
  type Refusal,
  refusalOf,
  type Seen,
} from './money-actions/verdict.ts'
export { paymentsExport } from './payments-export.ts'
export {
  invoiceColumns,
  jsonList,
  paymentCard,
  paymentColumns,
  paymentJoins,
  paymentPurpose,
  planName,
  subscriptionColumns,
  subscriptionJoins,
} from './queries/columns.ts'
export { type ActionRow, findSaves, forgetPayloads } from './queries/money-actions.ts'
export { getSubscription as getListedSubscription } from './queries/money-targets.ts'
export { byOwners } from './queries/search-owners.ts'
export { searchPayments } from './queries/search-payments.ts'
export { searchRows } from './queries/search-rows.ts'
export { searchSubscriptions } from './queries/search-subscriptions.ts'
export { customerMatches, escapePattern, findsCustomers, type SearchTerm, searchTerm } from './queries/search-term.ts'
export { billingRoutes } from './routes.ts'
export { getStats } from './service/get-stats.ts'
export { listPayments } from './service/list-payments.ts'
export { toNextInvoice } from './service/preview-plan-change.ts'
export { subscriptionsExport } from './subscriptions-export.ts'
export { trendOf } from './trend.ts'
