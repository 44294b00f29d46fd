import type { AlertSeverity } from '@agency/contract/monitoring'

export type DownSite = { siteId: string; name: string; zone: string | null; provider: string | null }
/** How many sites are looked at, in all and by what they share. */
export type Population = { all: number; byZone: ReadonlyMap<string, number>; byProvider: ReadonlyMap<string, number> }

export type Cause = {
  /** Names the cause: `all`, `provider:<name>` or `zone:<name>`. */
  key: string
  name: string
  severity: AlertSeverity
  siteIds: string[]
}

/** Fewer may be a coincidence. */
const fewest = 3
const shareOfScope = 0.5
const shareOfAll = 0.25

const providerNames: Record<string, string> = { pages: 'Cloudflare Pages', hook: 'the other hosts' }

function groupBy(sites: readonly DownSite[], of: (site: DownSite) => string | null): Map<string, DownSite[]> {
  const groups = new Map<string, DownSite[]>()
  for (const site of sites) {
    const key = of(site)
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), site])
  }
  return groups
}

const idsOf = (sites: readonly DownSite[]) => sites.map(({ siteId }) => siteId)
const isMost = (down: number, of: number, share: number) => down >= fewest && down >= of * share

/**
 * What sites that are down have in common: the widest cause that explains them. A provider or zone counts when at least
 * three of its sites, and half of them, are down; a quarter of all sites without one is a cause too.
 */
export function findCauses(down: readonly DownSite[], population: Population): Cause[] {
  const causes: Cause[] = []
  const explained = new Set<string>()
  const add = (key: string, name: string, sites: readonly DownSite[]) => {
    causes.push({ key, name, severity: 'critical', siteIds: idsOf(sites) })
    for (const { siteId } of sites) explained.add(siteId)
  }
  const rest = () => down.filter(({ siteId }) => !explained.has(siteId))
  for (const [provider, sites] of groupBy(down, (site) => site.provider)) {
    if (isMost(sites.length, population.byProvider.get(provider) ?? 0, shareOfScope))
      add(`provider:${provider}`, providerNames[provider] ?? provider, sites)
  }
  for (const [zone, sites] of groupBy(rest(), (site) => site.zone)) {
    if (isMost(sites.length, population.byZone.get(zone) ?? 0, shareOfScope)) add(`zone:${zone}`, zone, sites)
  }
  const left = rest()
  if (isMost(left.length, population.all, shareOfAll)) add('all', 'all sites', left)
  return causes
}
