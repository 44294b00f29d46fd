import type { SiteBehaviour } from '../cloudflare/demo-sites.ts'

const slowMs = 4000
const ratherSlowMs = 900
const minute = 60_000

/** What goes wrong with one request to a site that behaves like this; null: nothing. */
export type Trouble = { delayMs: number } | { status: number } | { location: string } | 'reset' | 'endless_body' | null

/** `count`: how many requests there were before. */
export function troubleOf(behaviour: SiteBehaviour, count: number, now: number, url: URL): Trouble {
  if (behaviour === 'slow') return { delayMs: count % 4 === 3 ? slowMs : ratherSlowMs }
  if (behaviour === 'crawling') return { delayMs: slowMs }
  if (behaviour === 'reset' || behaviour === 'endless_body') return behaviour
  if (behaviour === 'failing') return { status: 500 }
  // Away for four minutes in every twenty.
  if (behaviour === 'flapping') return Math.floor(now / minute) % 20 < 4 ? { status: 503 } : null
  if (behaviour === 'redirect_loop') {
    const round = Number(url.searchParams.get('round') ?? 0)
    return { location: `/?round=${Number.isSafeInteger(round) ? round + 1 : 1}` }
  }
  return null
}

const day = 24 * 60 * minute

/** From when to when a site's certificate is valid, and for which name. */
export function certificateTerms(behaviour: SiteBehaviour, domain: string, now: number) {
  const usual = { host: domain, from: now - 30 * day, to: now + 60 * day, isSelfSigned: false }
  if (behaviour === 'expiring_certificate') return { ...usual, from: now - 80 * day, to: now + 10 * day }
  if (behaviour === 'expired_certificate') return { ...usual, from: now - 93 * day, to: now - 3 * day }
  if (behaviour === 'wrong_name_certificate') return { ...usual, host: 'shared-host.example' }
  if (behaviour === 'self_signed_certificate') return { ...usual, isSelfSigned: true }
  return usual
}
