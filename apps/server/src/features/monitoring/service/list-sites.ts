import type { monitoring } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { AppContext } from '../../../context.ts'
import { countSites, findMonitoredSites, type MonitoredSitesQuery } from '../queries/sites.ts'
import { findSitesSeen } from '../queries/uptime.ts'
import { uptimesOf } from './uptimes.ts'

export async function listMonitoredSites(
  ctx: AppContext,
  query: MonitoredSitesQuery,
): Promise<ResponseOf<typeof monitoring.listMonitoredSites>> {
  const now = ctx.clock()
  const [page, counts] = await Promise.all([findMonitoredSites(ctx.pool, query, new Date(now)), countSites(ctx.pool)])
  const ids = page.sites.map(({ id }) => id)
  const seen = await findSitesSeen(ctx, ids, now)
  return { ...page, sites: page.sites.map((site) => ({ ...site, ...uptimesOf(seen.get(site.id), now) })), counts }
}
