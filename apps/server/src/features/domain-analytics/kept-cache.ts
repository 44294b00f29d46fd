import type { KeptCache } from '../../platform/caches.ts'
import { deleteReads, findReadLabels, measureReads } from './queries/reads.ts'

/** Hours and break-downs of domains as Cloudflare told them last. The days are no cache: Cloudflare forgets them. */
export const analyticsCache: KeptCache = {
  name: 'analytics',
  size: ({ db }) => measureReads(db),
  labels: ({ db }) => findReadLabels(db),
  clear: ({ db }, labels) => deleteReads(db, labels),
}
