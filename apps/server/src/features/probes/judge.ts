import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus, SiteStatus, SslStatus } from '@agency/contract/types'
import type { Certificate } from '../../platform/probe/certificate.ts'
import type { ProbeFailure } from '../../platform/probe/probe-error.ts'

const slowMs = 3000
const expiresSoonDays = 14
const dayMs = 86_400_000
/** One look that fails may be a moment; two in a row are a state. */
const failuresUntilDown = 2

/** What one look found, before it is judged. */
export type Finding = {
  status: number | null
  totalMs: number | null
  /** Why there was no answer. */
  failure: { reason: ProbeFailure; message: string } | null
  certificate: Certificate | null
  /** A certificate was asked for and none came, in words. */
  tlsFailure: string | null
}

export type Outcome = Pick<ProbeRun, 'outcome' | 'detail'>

const isMissing = (status: number) => status === 404 || status === 410

/** Whether the site answered, and how. */
export function outcomeOf({ status, totalMs, failure }: Pick<Finding, 'status' | 'totalMs' | 'failure'>): Outcome {
  if (failure) return { outcome: 'failed', detail: failure.message }
  if (status === null) return { outcome: 'failed', detail: 'No answer' }
  if (status >= 500 || isMissing(status)) return { outcome: 'failed', detail: `It answered with status ${status}` }
  if (status >= 400) return { outcome: 'refused', detail: `It answered with status ${status}` }
  if (totalMs !== null && totalMs > slowMs)
    return { outcome: 'slow', detail: `It took ${(totalMs / 1000).toFixed(1)} seconds to answer` }
  return { outcome: 'ok', detail: `It answered with status ${status}` }
}

function certificateConcern(certificate: Certificate | null, now: number): string | null {
  if (!certificate) return null
  const { validTo, problem } = certificate
  if (validTo.getTime() <= now) return 'Its certificate has expired'
  if (problem !== null) return `Its certificate is not trusted. ${problem}`
  const days = Math.floor((validTo.getTime() - now) / dayMs)
  if (days >= expiresSoonDays) return null
  return days < 1
    ? 'Its certificate expires within a day'
    : `Its certificate expires in ${days} ${days === 1 ? 'day' : 'days'}`
}

export type Before = { health: HealthStatus; failures: number; status: SiteStatus }
export type Judgement = { health: HealthStatus; detail: string; failures: number }

/** What the site's health is after a look. A site that was never deployed is not down. */
export function judge({ outcome, detail }: Outcome, finding: Finding, before: Before, now: number): Judgement {
  if (outcome === 'failed') {
    const failures = before.failures + 1
    if (before.status === 'pending') return { health: 'unknown', detail: `Not reached yet. ${detail}`, failures }
    if (failures >= failuresUntilDown) return { health: 'down', detail, failures }
    return { health: before.health, detail: `Failed once. ${detail}`, failures }
  }
  const concern = outcome === 'ok' ? certificateConcern(finding.certificate, now) : detail
  return { health: concern === null ? 'healthy' : 'degraded', detail: concern ?? detail, failures: 0 }
}

/** It failed once: another look has to tell whether that was a moment. */
export const isUnconfirmed = ({ failures }: Judgement, { status }: Pick<Before, 'status'>): boolean =>
  failures > 0 && failures < failuresUntilDown && status !== 'pending'

export type Ssl = { status: SslStatus; expiresAt: Date | null; issuer: string | null }

/** null: nothing new was learnt. */
export function sslOf({ certificate, failure, tlsFailure }: Finding, wasSeen: boolean, now: number): Ssl | null {
  if (certificate) {
    const { validTo, issuer, isTrusted } = certificate
    const status = validTo.getTime() <= now ? 'expired' : isTrusted ? 'active' : 'error'
    return { status, expiresAt: validTo, issuer }
  }
  if (tlsFailure !== null) return { status: 'error', expiresAt: null, issuer: null }
  if (failure?.reason === 'dns' && !wasSeen) return { status: 'pending', expiresAt: null, issuer: null }
  return null
}
