import { purchaseReset } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { bulkReset, goOn } from './service/bulk-reset.ts'
import { getSiteConfig, listResets, listSites, previewReset } from './service/read.ts'
import { resetPurchase } from './service/reset-purchase.ts'
import { undoReset } from './service/undo-reset.ts'

export const purchaseResetRoutes = routesOf(purchaseReset, {
  listPurchasedSites: ({ ctx, query }) => listSites(ctx, query),
  listPurchaseResets: ({ ctx, query }) => listResets(ctx, query),
  previewPurchaseReset: ({ ctx, body }) => previewReset(ctx, body.purchaseIds),
  resetPurchase: { handle: ({ ctx, params, body, claim }) => resetPurchase(ctx, params.id, body?.reason, claim) },
  bulkResetPurchases: {
    handle: ({ ctx, body, claim }) => bulkReset(ctx, body, claim),
    replay: ({ ctx, body, claim, subject }) => goOn(ctx, body, claim, subject),
  },
  undoPurchaseReset: { handle: ({ ctx, params, body, claim }) => undoReset(ctx, params.id, body?.reason, claim) },
  getSiteConfig: ({ ctx }) => getSiteConfig(ctx),
})
