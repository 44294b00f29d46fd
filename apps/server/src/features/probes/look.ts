import type { CheckSettings } from '@agency/contract/checks'
import type { ProbeRun } from '@agency/contract/probes'
import type { Certificate } from '../../platform/probe/certificate.ts'
import { recordsOf } from '../../platform/probe/names.ts'
import { ProbeError } from '../../platform/probe/probe-error.ts'
import { type SafeAnswer, type SafeRequest, safeRequest, type Trace } from '../../platform/probe/safe-request.ts'
import type { Doors } from '../../platform/probe/target.ts'
import { noTimings } from '../../platform/probe/timings.ts'
import { type AskedSite, urlOf } from './check-settings.ts'
import { type Answer, type Names, readsBody } from './expectations.ts'
import { type Finding, outcomeOf } from './judge.ts'

export type LookedAt = AskedSite & { settings: CheckSettings }
export type Look = { run: ProbeRun; finding: Finding; tries: number }

const mostRedirects = 5
const contentBytes = 262_144
const plainBytes = 65_536
/** A page that goes on for longer, and does not say for how long, is taken to have no end. */
const endWithinBytes = 524_288
/** Within what a lease leaves beside the look itself. */
const certificateWithinMs = 5000
const nameWithinMs = 4000

/** A path is a path: what would lead to another host is not followed there. */
const addressOf = (site: LookedAt): string =>
  urlOf(site, site.settings.path) ?? urlOf({ ...site, healthPath: '/' }, null) ?? `https://${site.domain}/`

type Asked = { answer: SafeAnswer | null; error: ProbeError | null; trace: Trace; totalMs: number }

async function ask(request: SafeRequest, doors: Doors): Promise<Asked> {
  const trace: Trace = { url: request.url, redirects: 0, timings: noTimings(), certificate: null }
  const started = performance.now()
  try {
    const answer = await safeRequest(request, doors, trace)
    return { answer, error: null, trace, totalMs: answer.totalMs }
  } catch (error) {
    if (!(error instanceof ProbeError) || error.reason === 'stopped') throw error
    return { answer: null, error, trace, totalMs: performance.now() - started }
  }
}

/** The domain's certificate, where the site itself was asked without TLS. */
async function certificateOf(
  domain: string,
  doors: Doors,
  signal: AbortSignal | undefined,
): Promise<Pick<Finding, 'certificate' | 'tlsFailure'>> {
  const url = `https://${domain}/`
  const request = { url, maxRedirects: 0, timeoutMs: certificateWithinMs, ...(signal && { signal }) }
  const { trace, error } = await ask(request, doors)
  return { certificate: trace.certificate, tlsFailure: error?.reason === 'tls' ? error.message : null }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function answerOf({ status, headers, body, isCut, url }: SafeAnswer, settings: CheckSettings): Answer {
  const { location } = headers
  const isRedirect = settings.redirect.mode !== 'follow' && redirectStatuses.has(status) && location !== undefined
  return {
    ...{ status, headers, isCut },
    body: readsBody(settings) ? body.toString('utf8') : '',
    location: isRedirect ? (URL.parse(location, url)?.href ?? location) : null,
  }
}

function requestOf(url: string, settings: CheckSettings, signal: AbortSignal | undefined): SafeRequest {
  return {
    ...{ url, method: settings.method, timeoutMs: settings.timeout_seconds * 1000, endWithinBytes },
    maxBytes: readsBody(settings) ? contentBytes : plainBytes,
    maxRedirects: settings.redirect.mode === 'follow' ? mostRedirects : 0,
    ...(signal && { signal }),
  }
}

/** Asked of the same resolver as the look itself, and only where something is expected of it. */
async function namesOf({ domain, settings }: LookedAt, doors: Doors, signal?: AbortSignal): Promise<Names> {
  if (settings.dns === null) return null
  if (doors.demoHosts?.hosts().has(domain)) return [doors.demoHosts.address]
  const asked = { signal: AbortSignal.any([AbortSignal.timeout(nameWithinMs), ...(signal ? [signal] : [])]) }
  return doors.resolve ? doors.resolve(domain, asked).catch(() => null) : recordsOf(domain, asked)
}

async function lookOnce(
  site: LookedAt,
  doors: Doors,
  at: string,
  signal: AbortSignal | undefined,
): Promise<Omit<Look, 'tries'>> {
  const { settings } = site
  const url = addressOf(site)
  const [{ answer, error, trace, totalMs }, names] = await Promise.all([
    ask(requestOf(url, settings, signal), doors),
    namesOf(site, doors, signal),
  ])
  const shown: Certificate | null = trace.certificate
  const finding: Finding = {
    status: answer?.status ?? null,
    totalMs: answer ? totalMs : null,
    failure: error && { reason: error.reason, message: error.message },
    answer: answer && answerOf(answer, settings),
    isEndless: answer?.isEndless ?? false,
    names,
    certificate: shown,
    tlsFailure: url.startsWith('https:') && error?.reason === 'tls' && !shown ? error.message : null,
  }
  const { timings } = trace
  const run: ProbeRun = {
    at,
    ...outcomeOf(finding, settings),
    url: trace.url,
    redirects: trace.redirects,
    status_code: finding.status,
    bytes: answer?.body.length ?? null,
    dns_ms: timings.dns,
    connect_ms: timings.connect,
    tls_ms: timings.tls,
    ttfb_ms: timings.ttfb,
    download_ms: timings.download,
    total_ms: finding.totalMs,
  }
  return { run, finding }
}

/** A look at the site: the last of its tries is what was found. Rejects with the reason `stopped` when it was stopped. */
export async function lookAt(site: LookedAt, doors: Doors, now: () => number, signal?: AbortSignal): Promise<Look> {
  const at = new Date(now()).toISOString()
  let tries = 1
  let look = await lookOnce(site, doors, at, signal)
  while (look.run.outcome === 'failed' && tries <= site.settings.retries) {
    tries += 1
    look = await lookOnce(site, doors, at, signal)
  }
  const isNameKnown = look.finding.failure?.reason !== 'network' && look.finding.failure?.reason !== 'dns'
  if (!isNameKnown || addressOf(site).startsWith('https:')) return { ...look, tries }
  const secured = await certificateOf(site.domain, doors, signal)
  return { ...look, finding: { ...look.finding, ...secured }, tries }
}
