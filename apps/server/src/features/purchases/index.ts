import { purchases } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { forgetOldReads, getPurchase, listPurchases, markRead } from './service.ts'

export { type PurchaseRecord, productionUrlOf, siteNameOf, statusOf } from './purchase.ts'
export { purchasesExport } from './purchases-export.ts'
export { columns as purchaseColumns, isPurchase, joins as purchaseJoins } from './queries.ts'

export const purchaseRoutes = routesOf(purchases, {
  listPurchases: ({ ctx, query }) => listPurchases(ctx, query),
  getPurchase: async ({ ctx, params }) => ({ purchase: await getPurchase(ctx, params.id) }),
  markPurchasesRead: ({ ctx, body }) => markRead(ctx, body?.ids),
})

export const purchaseJobs = [
  job({
    name: 'purchases.forget',
    input: z.object({}),
    schedule: '35 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldReads(ctx),
  }),
]
