import type { ProbeRun } from '@agency/contract/probes'
import type { Certificate } from '../../platform/probe/certificate.ts'
import { ProbeError } from '../../platform/probe/probe-error.ts'
import { type SafeAnswer, safeRequest, type Trace } from '../../platform/probe/safe-request.ts'
import type { Doors } from '../../platform/probe/target.ts'
import { noTimings } from '../../platform/probe/timings.ts'
import { lookWithinMs } from './intervals.ts'
import { type Finding, outcomeOf } from './judge.ts'

export type LookedAt = { domain: string; deploymentUrl: string | null; healthPath: string }
export type Look = { run: ProbeRun; finding: Finding }

/** Visitors come by the domain; without TLS only where the site itself says so. */
function addressOf({ domain, deploymentUrl, healthPath }: LookedAt): string {
  const own = deploymentUrl === null ? null : URL.parse(deploymentUrl)
  const base = own?.protocol === 'http:' && own.hostname === domain ? own.origin : `https://${domain}`
  return URL.parse(healthPath, `${base}/`)?.href ?? base
}

/** A path is a path: what would lead to another host is not followed there. */
function safePath(site: LookedAt): LookedAt {
  const url = URL.parse(addressOf(site))
  return url?.hostname === site.domain ? site : { ...site, healthPath: '/' }
}

type Asked = { answer: SafeAnswer | null; error: ProbeError | null; trace: Trace; totalMs: number }

async function ask(url: string, doors: Doors, signal: AbortSignal | undefined): Promise<Asked> {
  const trace: Trace = { url, redirects: 0, timings: noTimings(), certificate: null }
  const started = performance.now()
  try {
    const answer = await safeRequest({ url, timeoutMs: lookWithinMs, ...(signal && { signal }) }, doors, trace)
    return { answer, error: null, trace, totalMs: answer.totalMs }
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error
    return { answer: null, error, trace, totalMs: performance.now() - started }
  }
}

/** The domain's certificate, where the site itself was asked without TLS. */
async function certificateOf(
  domain: string,
  doors: Doors,
  signal: AbortSignal | undefined,
): Promise<Pick<Finding, 'certificate' | 'tlsFailure'>> {
  const { trace, error } = await ask(`https://${domain}/`, doors, signal)
  if (error?.reason === 'stopped') throw error
  return { certificate: trace.certificate, tlsFailure: error?.reason === 'tls' ? error.message : null }
}

export async function lookAt(site: LookedAt, doors: Doors, now: () => number, signal?: AbortSignal): Promise<Look> {
  const at = new Date(now()).toISOString()
  const url = addressOf(safePath(site))
  const { answer, error, trace, totalMs } = await ask(url, doors, signal)
  if (error?.reason === 'stopped') throw error
  const shown: Certificate | null = trace.certificate
  const secured = url.startsWith('https:')
    ? { certificate: shown, tlsFailure: error?.reason === 'tls' && !shown ? error.message : null }
    : await certificateOf(site.domain, doors, signal)
  const finding: Finding = {
    status: answer?.status ?? null,
    totalMs: answer ? totalMs : null,
    failure: error && { reason: error.reason, message: error.message },
    ...secured,
  }
  const { timings } = trace
  const run: ProbeRun = {
    at,
    ...outcomeOf(finding),
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
