import type { Site } from '@agency/contract/types'
import { formatCount, formatDuration } from '../../lib/format.ts'
import { formatAge, formatDate, formatDateTime } from '../../lib/format-time.ts'
import type { Tone } from '../../theme/palette.ts'

/** Where a measured value comes from, and when it was true. */
export type Measure = { what: string; source: string; at: string | null }

const dayMs = 86_400_000

export function healthMeasure(site: Site): Measure {
  const answer = site.response_ms === null ? null : `Answered in ${formatDuration(site.response_ms)}`
  const what = [site.health_detail, answer].filter((part) => part !== null).join('. ')
  return { what: what || 'Not checked yet', source: "the console's own check", at: site.health_checked_at }
}

export function sslMeasure(site: Site, now = Date.now()): Measure {
  const issuer = site.ssl_issuer ? `Issued by ${site.ssl_issuer}` : null
  const expiry = site.ssl_expires_at ? expiryWords(site.ssl_expires_at, now) : null
  return {
    what: [issuer, expiry].filter((part) => part !== null).join('. ') || 'No certificate yet',
    source: 'the certificate of the site',
    at: site.ssl_checked_at,
  }
}

/** `Valid until 2/1/2027, for 71 days` */
function expiryWords(at: string, now: number): string {
  const days = Math.floor((new Date(at).getTime() - now) / dayMs)
  if (days < 0) return `Expired on ${formatDate(at)}`
  return `Valid until ${formatDate(at)}, for ${days === 1 ? '1 day' : `${days} days`}`
}

export function scoreMeasure(site: Site): Measure {
  const what = site.performance_score === null ? 'Not measured' : `${site.performance_score} of 100`
  return { what, source: 'the last checks', at: site.scored_at }
}

export function storageMeasure(site: Site): Measure {
  const what = site.storage_used === null ? 'Not measured' : `${formatCount(Math.round(site.storage_used))} MB`
  return { what, source: 'the last deployment', at: site.storage_used_at }
}

export function bandwidthMeasure(site: Site): Measure {
  const what = site.bandwidth_used === null ? 'Not measured' : 'Traffic of the last 30 days'
  return { what, source: "Cloudflare's analytics", at: site.bandwidth_used_at }
}

/** `Answered in 340 ms. Source: the console's own check, 4 min ago (11/22/2026, 2:05 PM)` */
export function measureText({ what, source, at }: Measure, now = Date.now()): string {
  if (at === null) return `${what}. Source: ${source}`
  const age = formatAge(at, now)
  return `${what}. Source: ${source}, ${age === 'now' ? 'just now' : `${age} ago`} (${formatDateTime(at)})`
}

/** 90 and above green, 70-89 amber, below 70 red. */
export function scoreTone(score: number): Tone {
  if (score >= 90) return 'success'
  return score >= 70 ? 'warning' : 'error'
}

/** `1.25 GB` from MB. */
export function storageText(megabytes: number): string {
  const gigabytes = megabytes / 1024
  return `${gigabytes >= 100 ? formatCount(Math.round(gigabytes)) : String(Number(gigabytes.toFixed(decimalsOf(gigabytes))))} GB`
}

// A small site is not 0 GB.
const decimalsOf = (gigabytes: number): number => (gigabytes >= 10 ? 1 : gigabytes >= 0.1 ? 2 : 3)
