import type { AppContext } from '../../../context.ts'
import { ProbeError } from '../../../platform/probe/probe-error.ts'
import { type SafeAnswer, safeRequest } from '../../../platform/probe/safe-request.ts'
import { type Registration, readBootstrap, readRegistration } from './rdap-answer.ts'

const bootstrapUrl = 'https://data.iana.org/rdap/dns.json'
const bootstrapBytes = 1_048_576
const answerBytes = 262_144
const withinMs = 10_000
const dayMs = 86_400_000
const hourMs = 3_600_000

/** `none`: its registry knows no such domain. `unknown`: nobody could be asked, or nobody answered. */
export type RdapAnswer =
  | { kind: 'found'; registration: Registration }
  | { kind: 'none' }
  | { kind: 'unknown'; problem: string }

const unknown = (problem: string): RdapAnswer => ({ kind: 'unknown', problem })

type Asking = Pick<AppContext, 'demoHosts' | 'config' | 'clock'>

/** Asks registries about domains (RDAP). Which server is asked for a top-level domain is read once a day. */
export function createRdap(app: Asking) {
  let known: { servers: Map<string, string>; at: number } | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  const ask = (url: string, maxBytes: number, signal: AbortSignal): Promise<SafeAnswer> =>
    safeRequest({ url, maxBytes, timeoutMs: withinMs, headers: { accept: 'application/rdap+json' }, signal }, app)

  async function servers(signal: AbortSignal): Promise<Map<string, string> | undefined> {
    const now = app.clock()
    if (known && now - known.at < dayMs) return known.servers
    // Older ones are better than none, and a list that cannot be read is not asked for with every domain.
    if (now - failedAt < hourMs) return known?.servers
    try {
      const { status, body, isCut } = await ask(bootstrapUrl, bootstrapBytes, signal)
      const read = status === 200 && !isCut ? readBootstrap(body.toString('utf8')) : null
      if (read) known = { servers: read, at: now }
      else failedAt = now
    } catch (error) {
      if (!(error instanceof ProbeError) || error.reason === 'stopped') throw error
      failedAt = now
    }
    return known?.servers
  }

  async function baseOf(domain: string, signal: AbortSignal): Promise<string | RdapAnswer> {
    const own = app.demoHosts?.rdapUrl ?? app.config.rdapUrl
    if (own !== undefined) return own
    const all = await servers(signal)
    if (!all) return unknown('The list of registries could not be read')
    const topLevel = domain.slice(domain.lastIndexOf('.') + 1)
    return all.get(topLevel) ?? unknown(`The registry of .${topLevel} publishes no dates`)
  }

  return {
    async find(domain: string, signal: AbortSignal): Promise<RdapAnswer> {
      try {
        const base = await baseOf(domain, signal)
        if (typeof base !== 'string') return base
        const url = `${base.replace(/\/+$/, '')}/domain/${encodeURIComponent(domain)}`
        const { status, body, isCut } = await ask(url, answerBytes, signal)
        if (status === 404 || status === 400) return { kind: 'none' }
        if (status === 429) return unknown('Rate limit of the registry reached')
        const registration = status === 200 && !isCut ? readRegistration(body.toString('utf8')) : null
        return registration
          ? { kind: 'found', registration }
          : unknown(`The registry gave no usable answer (status ${status})`)
      } catch (error) {
        if (!(error instanceof ProbeError) || error.reason === 'stopped') throw error
        return unknown(`The registry did not answer. ${error.message}`)
      }
    },
  }
}
