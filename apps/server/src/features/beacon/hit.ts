export type Hit = { kind: 'view' } | { kind: 'goal'; goal: string }

export const mostBodyBytes = 64

/** As the names of goals are kept. */
const goalPattern = /^[a-z0-9][a-z0-9_-]{0,39}$/

/** `view`, or `goal ` and its name; null for anything else. */
export function readHit(body: string): Hit | null {
  if (body === 'view') return { kind: 'view' }
  if (!body.startsWith('goal ')) return null
  const goal = body.slice('goal '.length).trim().toLowerCase()
  return goalPattern.test(goal) ? { kind: 'goal', goal } : null
}

const robots = /bot\b|bot\/|crawl|spider|slurp|headless|lighthouse|monitor|preview|curl|wget|python|java\//i

/** Whoever says so, or says nothing at all; the rest cannot be told from people. */
export const isRobot = (userAgent: string | undefined): boolean =>
  userAgent === undefined || userAgent === '' || robots.test(userAgent)

/** The origin's host, where it is one that the site is served under. */
export function ownHost(origin: string | undefined, hosts: readonly string[]): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return (protocol === 'https:' || protocol === 'http:') && hosts.includes(hostname)
}

/** Under which names a site's pages are. */
export function hostsOf(site: { domain: string; subdomain: string | null; deployment_url: string | null }): string[] {
  const deployed =
    site.deployment_url && URL.canParse(site.deployment_url) ? new URL(site.deployment_url).hostname : null
  const names = [site.domain, site.domain.startsWith('www.') ? site.domain.slice(4) : `www.${site.domain}`]
  return [
    ...new Set([...names, ...[site.subdomain, deployed].filter((name) => name !== null && name !== '')]),
  ] as string[]
}
