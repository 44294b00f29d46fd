import { purchaseReset } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { bulkReset } from './service/bulk-reset.ts'
import { getSiteConfig, listResets, listSites, previewReset } from './service/read.ts'
import { resetPurchase } from './service/reset-purchase.ts'
import { undoReset } from './service/undo-reset.ts'

export const purchaseResetRoutes = routesOf(purchaseReset, {
  listPurchasedSites: ({ ctx, query }) => listSites(ctx, query),
  listPurchaseResets: ({ ctx, query }) => listResets(ctx, query),
  previewPurchaseReset: ({ ctx, body }) => previewReset(ctx, body.purchaseIds),
  resetPurchase: ({ ctx, params, body, idempotencyKey }) => resetPurchase(ctx, params.id, body?.reason, idempotencyKey),
  bulkResetPurchases: ({ ctx, body, idempotencyKey }) => bulkReset(ctx, body, idempotencyKey),
  undoPurchaseReset: ({ ctx, params, body, idempotencyKey }) => undoReset(ctx, params.id, body?.reason, idempotencyKey),
  getSiteConfig: ({ ctx }) => getSiteConfig(ctx),
})
