import { inTransaction, type RequestContext } from '../../../context.ts'
import { findZones } from '../../domains/index.ts'
import { noteBandwidth } from '../../sites/index.ts'
import { dayMs, floorTo } from '../period.ts'
import { findBytes } from '../queries/days.ts'
import { findSiteDomains } from '../queries/sites.ts'

type Named = { id: string; name: string }

const isInside = (domain: string, zone: string) => domain === zone || domain.endsWith(`.${zone}`)

/**
 * The site whose traffic a zone's is: the only one that lives in it. Where several share a zone, nobody can tell whose
 * it was.
 */
function sitesOfZones(
  sites: readonly { id: string; domain: string }[],
  zones: readonly Named[],
): { siteId: string; zoneId: string }[] {
  const byLength = [...zones].sort((left, right) => right.name.length - left.name.length)
  const living = new Map<string, string[]>()
  for (const { id, domain } of sites) {
    const zone = byLength.find(({ name }) => isInside(domain, name))
    if (zone) living.set(zone.id, [...(living.get(zone.id) ?? []), id])
  }
  return [...living].flatMap(([zoneId, [siteId, ...others]]) =>
    siteId !== undefined && others.length === 0 ? [{ siteId, zoneId }] : [],
  )
}

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
