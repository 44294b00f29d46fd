import { domains } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getDomain } from './service/get-domain.ts'
import { listDomains } from './service/list-domains.ts'
import { previewPurge, purgeCache, repeatPurge } from './service/purge.ts'
import { refreshDomains } from './service/refresh-domains.ts'

export const domainRoutes = routesOf(domains, {
  listDomains: ({ ctx, query }) => listDomains(ctx, query),
  refreshDomains: ({ ctx }) => refreshDomains(ctx),
  getDomain: async ({ ctx, params }) => ({ domain: await getDomain(ctx, params.id) }),
  previewPurge: ({ ctx, params }) => previewPurge(ctx, params.id),
  purgeCache: {
    handle: ({ ctx, params, body, claim }) => purgeCache(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => repeatPurge(ctx, subject),
  },
})
