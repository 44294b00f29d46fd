import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { DemoSite } from '../cloudflare/demo-sites.ts'

const day = 86_400_000
const year = 365 * day
/** What is renewed by itself is so before anybody worries. */
const renewedDaysBefore = 45

type Options = { sites: readonly DemoSite[]; wallNow: () => number }

/** Each domain has a day of the year on which it expires, and is renewed some weeks before. */
function usualExpiry(domain: string, now: number): number {
  const hash = createHash('sha256').update(domain).digest().readUInt32BE(0)
  const first = (hash % 365) * day
  return first + Math.ceil((now + renewedDaysBefore * day - first) / year) * year
}

const event = (eventAction: string, at: number) => ({ eventAction, eventDate: new Date(at).toISOString() })

const registrar = {
  objectClassName: 'entity',
  roles: ['registrar'],
  vcardArray: [
    'vcard',
    [
      ['version', {}, 'text', '4.0'],
      ['fn', {}, 'text', 'Sandbox Registrar'],
    ],
  ],
}

/** Plays the registries of the demo sites' domains over RDAP. */
export function createRegistry({ sites, wallNow }: Options) {
  const expiries = new Map<string, number | 'none'>()

  function answer(domain: string): { status: number; body: object } {
    const site = sites.find((each) => each.domain === domain)
    const steered = expiries.get(domain)
    if (!site || steered === 'none')
      return { status: 404, body: { errorCode: 404, title: 'Not Found', description: ['No such domain'] } }
    const now = wallNow()
    const expiration = steered ?? usualExpiry(domain, now)
    const events = [event('registration', expiration - 3 * year), event('expiration', expiration)]
    const names = { ldhName: domain, objectClassName: 'domain', rdapConformance: ['rdap_level_0'] }
    return { status: 200, body: { ...names, status: ['active'], events, entities: [registrar] } }
  }

  return {
    respond(response: ServerResponse, path: string): void {
      const domain = decodeURIComponent(/^\/domain\/([^/]+)$/.exec(path)?.[1] ?? '').toLowerCase()
      const { status, body } = answer(domain)
      response.writeHead(status, { 'content-type': 'application/rdap+json' })
      response.end(JSON.stringify(body))
    },
    /** `days`: from now; 'none': nobody has registered it; undefined: as usual. */
    expire(domain: string, days: number | 'none' | undefined): void {
      if (days === undefined) expiries.delete(domain)
      else expiries.set(domain, days === 'none' ? days : wallNow() + days * day)
    },
  }
}

export type Registry = ReturnType<typeof createRegistry>
