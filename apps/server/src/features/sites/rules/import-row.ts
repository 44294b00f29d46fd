import type { Doors } from '../../../platform/probe/target.ts'
import { defaultUrl, deploymentUrl, isPublicUrl } from './deployment-url.ts'
import { hostName, subdomainName } from './host-name.ts'

export type ImportedSite = {
  site_name: string
  domain: string
  subdomain: string | null
  deployment_url: string
  template_type: string | null
  status: 'pending' | 'active' | 'maintenance' | 'suspended'
  created_at: Date | null
  /** As the older console had it; whether anybody is that customer, is not known yet. */
  customer_id: string | null
  customer_name: string | null
}

export type ReadRow = {
  site_name: string | null
  domain: string | null
  site: ImportedSite | null
  /** Why it is left out. */
  reason: string | null
  /** What is taken over differently. */
  notes: string[]
}

const longestName = 120
const measuredFields = ['health_status', 'ssl_status', 'performance_score', 'storage_used', 'bandwidth_used']

/** One line of readable text, whatever lay there. */
function lineOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const line = String(value)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line === '' ? null : line
}

const cut = (text: string, length: number): string => [...text].slice(0, length).join('')

/** An older console took addresses for domains too. */
function domainOf(text: string | null, notes: string[]): string | null {
  if (text === null) return null
  const plain = hostName(text)
  if (plain !== null) return plain
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  const named = url === null || url.username !== '' || url.port !== '' ? null : hostName(url.hostname)
  if (named !== null) notes.push(`Domain taken from ${cut(text, 80)}`)
  return named
}

const statuses: Record<string, ImportedSite['status']> = {
  active: 'active',
  pending: 'pending',
  maintenance: 'maintenance',
  suspended: 'suspended',
}

function statusOf(text: string | null, notes: string[]): ImportedSite['status'] {
  const status = statuses[text?.toLowerCase() ?? 'pending']
  if (status) return status
  notes.push(`The status ${cut(text ?? '', 40)} becomes pending`)
  return 'pending'
}

function urlOf(text: string | null, domain: string, doors: Doors, notes: string[]): string {
  const url = text === null ? null : deploymentUrl(text)
  if (text !== null && url === null) notes.push('Invalid deployment URL: using the domain')
  if (url === null || isPublicUrl(url, doors)) return url ?? defaultUrl(domain)
  notes.push('Deployment URL not on the public internet: using the domain')
  return defaultUrl(domain)
}

function dateOf(text: string | null, nowMs: number): Date | null {
  const ms = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) || ms > nowMs || ms < Date.UTC(1995, 0, 1) ? null : new Date(ms)
}

const leftOut = (row: Partial<ReadRow>, reason: string): ReadRow => ({
  ...{ site_name: null, domain: null, site: null, notes: [], ...row },
  reason,
})

/** Reads one row of an older console's list, which may hold anything. */
export function readImportRow(value: unknown, nowMs: number, doors: Doors): ReadRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return leftOut({}, 'Not a site')
  const row = value as Record<string, unknown>
  const notes: string[] = []
  const name = lineOf(row['site_name'])
  const shown = { site_name: name === null ? null : cut(name, longestName), domain: null }
  const typedDomain = lineOf(row['domain'])
  if (typedDomain === null) return leftOut(shown, 'No domain')
  const domain = domainOf(typedDomain, notes)
  if (domain === null) return leftOut(shown, `${cut(typedDomain, 80)} is not a domain`)
  if (lineOf(row['status'])?.toLowerCase() === 'deleted') return leftOut({ ...shown, domain }, 'Deleted')
  if (name === null) notes.push('No name: using the domain')
  if (name !== null && [...name].length > longestName) notes.push(`Name shortened to ${longestName} characters`)
  if (measuredFields.some((field) => row[field] !== undefined && row[field] !== null))
    notes.push('Measurements are not imported: measured again')
  const subdomain = lineOf(row['subdomain'])
  const site: ImportedSite = {
    site_name: shown.site_name ?? domain,
    domain,
    subdomain: subdomain === null ? null : subdomainName(subdomain),
    deployment_url: urlOf(lineOf(row['deployment_url']), domain, doors, notes),
    template_type: cut(lineOf(row['template_type']) ?? '', 60) || null,
    status: statusOf(lineOf(row['status']), notes),
    created_at: dateOf(lineOf(row['created_at']), nowMs),
    customer_id: lineOf(row['customer_id']),
    customer_name: lineOf(row['customer_name']),
  }
  return { site_name: site.site_name, domain, site, reason: null, notes }
}
