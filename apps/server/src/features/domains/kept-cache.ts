import type { KeptCache } from '../../platform/caches.ts'
import { refreshJob } from './jobs.ts'
import { findNames, measureDomains } from './queries/list-size.ts'

/**
 * The list of domains as Cloudflare told it last. It is cleared by being read again, as a whole: what stands in it is what
 * everything else knows of the domains until then.
 */
export const domainListCache: KeptCache = {
  name: 'domains',
  size: async ({ pool, cloudflare }) =>
    cloudflare ? measureDomains(pool, cloudflare.connection) : { keys: 0, bytes: 0 },
  labels: async ({ pool, cloudflare }) => (cloudflare ? findNames(pool, cloudflare.connection) : []),
  async clear(ctx, labels) {
    if (labels.length > 0) await ctx.jobs.enqueue(ctx, refreshJob, {})
    return labels.length
  },
}
