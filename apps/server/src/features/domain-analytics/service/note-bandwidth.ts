import { inTransaction, type RequestContext } from '../../../context.ts'
import { findZones } from '../../domains/index.ts'
import { noteBandwidth } from '../../sites/index.ts'
import { dayMs, floorTo } from '../period.ts'
import { findBytes } from '../queries/days.ts'
import { findSiteDomains } from '../queries/sites.ts'
import { sitesOfZones } from '../site-zones.ts'

const days = 30
const bytesPerGb = 1024 ** 3

/** Tells each site what its domain moved in the last 30 days; of a domain without figures nothing is told. */
export async function noteBandwidths(ctx: RequestContext): Promise<void> {
  const until = floorTo(ctx.clock(), dayMs) + dayMs
  const [sites, zones, read] = await Promise.all([
    findSiteDomains(ctx.db),
    findZones(ctx),
    findBytes(ctx.db, { since: until - days * dayMs, until }),
  ])
  const bytesOf = new Map(read.map(({ zoneId, bytes }) => [zoneId, bytes]))
  for (const { siteId, zoneId } of sitesOfZones(sites, zones)) {
    const bytes = bytesOf.get(zoneId)
    if (bytes === undefined) continue
    const gb = Math.round((bytes / bytesPerGb) * 1000) / 1000
    await inTransaction(ctx, (tx) => noteBandwidth(tx, siteId, { gb, at: new Date(ctx.clock()) }))
  }
}
