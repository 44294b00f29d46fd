import type { CheckSettings } from '@agency/contract/checks'
import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus, SiteStatus, SslStatus } from '@agency/contract/types'
import type { Certificate } from '../../platform/probe/certificate.ts'
import type { ProbeFailure } from '../../platform/probe/probe-error.ts'
import { type Answer, type Names, unmet, unmetName } from './expectations.ts'

const slowMs = 3000
const dayMs = 86_400_000

/** What one look found, before it is judged. */
export type Finding = {
  status: number | null
  totalMs: number | null
  /** Why there was no answer. */
  failure: { reason: ProbeFailure; message: string } | null
  certificate: Certificate | null
  /** A certificate was asked for and none came, in words. */
  tlsFailure: string | null
  /** null: there was none. */
  answer: Answer | null
  isEndless: boolean
  names: Names
}

export type Outcome = Pick<ProbeRun, 'outcome' | 'detail'>

const isMissing = (status: number) => status === 404 || status === 410

/** What a status says where none is expected. */
function ofStatus(status: number): Outcome {
  const detail = `Answered with status ${status}`
  if (status >= 500 || isMissing(status)) return { outcome: 'failed', detail }
  return { outcome: status >= 400 ? 'refused' : 'ok', detail }
}

/** Whether the site answered, and how. */
export function outcomeOf(finding: Finding, settings: CheckSettings): Outcome {
  const { status, totalMs, failure, answer, isEndless } = finding
  const elsewhere = unmetName(finding.names, settings)
  if (elsewhere !== null) return { outcome: 'failed', detail: elsewhere }
  if (failure) return { outcome: 'failed', detail: failure.message }
  if (status === null || answer === null) return { outcome: 'failed', detail: 'No answer' }
  const missing = unmet(answer, settings)
  if (missing !== null) return { outcome: 'failed', detail: missing }
  const judged: Outcome =
    settings.statuses === null ? ofStatus(status) : { outcome: 'ok', detail: `Answered with status ${status}` }
  if (judged.outcome !== 'ok') return judged
  if (isEndless) return { outcome: 'slow', detail: 'The answer does not end' }
  if (totalMs !== null && totalMs > slowMs)
    return { outcome: 'slow', detail: `Answered in ${(totalMs / 1000).toFixed(1)} seconds` }
  return judged
}

function certificateConcern(certificate: Certificate | null, soonDays: number, now: number): string | null {
  if (!certificate) return null
  const { validTo, problem } = certificate
  if (validTo.getTime() <= now) return 'The certificate has expired'
  if (problem !== null) return `The certificate is not trusted. ${problem}`
  const days = Math.floor((validTo.getTime() - now) / dayMs)
  if (days >= soonDays) return null
  return days < 1
    ? 'The certificate expires within a day'
    : `The certificate expires in ${days} ${days === 1 ? 'day' : 'days'}`
}

/** `recent`: the looks before, the newest as the lowest bit; 1 is one that failed. */
export type Before = { health: HealthStatus; failures: number; recent: number; status: SiteStatus }
export type Judgement = { health: HealthStatus; detail: string; failures: number; recent: number }

const countOnes = (bits: number): number => bits.toString(2).replaceAll('0', '').length

function failedWords(failed: number, { failures, of }: CheckSettings): string {
  if (failures === of) return failed === 1 ? 'Failed once.' : `Failed ${failed} times in a row.`
  return `Failed ${failed} of the last ${of} checks.`
}

/** What the site's health is after a look. A site that was never deployed is not down. */
export function judge(
  { outcome, detail }: Outcome,
  finding: Finding,
  before: Before,
  settings: CheckSettings,
  now: number,
): Judgement {
  const hasFailed = outcome === 'failed'
  const recent = ((before.recent << 1) | Number(hasFailed)) & (2 ** settings.of - 1)
  if (!hasFailed) {
    const concern = outcome === 'ok' ? certificateConcern(finding.certificate, settings.certificate_days, now) : detail
    return { health: concern === null ? 'healthy' : 'degraded', detail: concern ?? detail, failures: 0, recent }
  }
  const failures = before.failures + 1
  if (before.status === 'pending') return { health: 'unknown', detail: `Not reached yet. ${detail}`, failures, recent }
  const failed = countOnes(recent)
  if (before.health === 'down' || failed >= settings.failures) return { health: 'down', detail, failures, recent }
  return { health: before.health, detail: `${failedWords(failed, settings)} ${detail}`, failures, recent }
}

/** It failed, and is not down for it yet: other looks have to tell whether that was a moment. */
export const isUnconfirmed = ({ health, failures }: Judgement, { status }: Pick<Before, 'status'>): boolean =>
  failures > 0 && health !== 'down' && status !== 'pending'

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
