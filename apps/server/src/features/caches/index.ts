import { caches } from '@agency/contract'
import type { KeptCache } from '../../platform/caches.ts'
import { type MountedRoute, routesOf } from '../../platform/http/routes.ts'
import { clear, clearedBefore, findKeys } from './service/clear.ts'
import { getOverview, refresh } from './service/overview.ts'

export { createCacheKeeper } from './keeper.ts'

/** `kept`: those that features keep in the database. */
export const cacheRoutes = (kept: readonly KeptCache[]): MountedRoute[] =>
  routesOf(caches, {
    getCaches: ({ ctx }) => getOverview(ctx, kept),
    refreshCaches: ({ ctx }) => refresh(ctx, kept),
    findCacheKeys: ({ ctx, query }) => findKeys(ctx, kept, query),
    clearCaches: {
      handle: ({ ctx, body, claim }) => clear(ctx, kept, body, claim),
      replay: ({ ctx, subject }) => clearedBefore(ctx, subject),
    },
  })
