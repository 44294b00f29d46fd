import { statusPages as contract } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { findPages } from './queries/pages.ts'
import { getPage, savePageOf } from './service/pages.ts'
import { addUpdate, getUpdate, listUpdates } from './service/updates.ts'

export { createStatusKeeper } from './keeper.ts'
export { forgetStatusPage } from './queries/pages.ts'
export { statusPages } from './webhook.ts'

export const statusPageRoutes = routesOf(contract, {
  listStatusPages: async ({ ctx }) => ({ pages: await findPages(ctx) }),
  getStatusPage: async ({ ctx, params }) => ({ page: await getPage(ctx, params.id) }),
  saveStatusPage: async ({ ctx, params, body }) => ({ page: await savePageOf(ctx, params.id, body) }),
  listPublicUpdates: async ({ ctx, params }) => ({ updates: await listUpdates(ctx, params.id) }),
  addPublicUpdate: {
    handle: async ({ ctx, params, body, claim }) => ({ update: await addUpdate(ctx, params.id, body.text, claim) }),
    replay: async ({ ctx, subject }) => ({ update: await getUpdate(ctx, subject) }),
  },
})
