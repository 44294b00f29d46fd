export { purchaseJobs } from './jobs.ts'
export { type PurchaseRecord, productionUrlOf, siteNameOf, statusOf } from './purchase.ts'
export { columns as purchaseColumns, isPurchase, joins as purchaseJoins } from './queries.ts'
export { purchaseRoutes } from './routes.ts'
