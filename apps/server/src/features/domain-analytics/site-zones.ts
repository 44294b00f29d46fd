type Named = { id: string; name: string }

const isInside = (domain: string, zone: string) => domain === zone || domain.endsWith(`.${zone}`)

/**
 * The site whose traffic a zone's is: the only one that lives in it. Where several share a zone, nobody can tell whose
 * it was.
 */
export function sitesOfZones(
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
