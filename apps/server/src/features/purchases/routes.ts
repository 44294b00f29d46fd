import { purchases } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getPurchase, listPurchases, markRead } from './service.ts'

export const purchaseRoutes = routesOf(purchases, {
  listPurchases: ({ ctx, query }) => listPurchases(ctx, query),
  getPurchase: async ({ ctx, params }) => ({ purchase: await getPurchase(ctx, params.id) }),
  markPurchasesRead: ({ ctx, body }) => markRead(ctx, body?.ids),
})
