import type { dnsRecords } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { mostNamed, type SiteHost } from './queries/sites.ts'

export type Known = { id: string; type: string; name: string; content?: string | null | undefined }
type Impact = ResponseOf<typeof dnsRecords.previewRecord>
type Mail = Impact['mail'][number]

/** The record before and after; null where there is none. */
export type Edit = { before: Known | null; after: Known | null }

const answersHost = ({ type }: Known): boolean => type === 'A' || type === 'AAAA' || type === 'CNAME'
const longestChain = 10

const parentsOf = (name: string): string[] => {
  const labels = name.split('.')
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'))
}

type RecordsAt = (name: string) => readonly Known[]

/** A domain may have thousands of sites: each is looked up, not searched for. */
function byName(records: readonly Known[]): RecordsAt {
  const named = Map.groupBy(records, ({ name }) => name)
  return (name) => named.get(name) ?? []
}

/** The records that a host name is resolved through, from alias to alias; a wildcard answers for names without records. */
function pathOf(host: string, zone: string, recordsAt: RecordsAt): Set<string> {
  const ids = new Set<string>()
  let names = [host]
  for (let step = 0; step < longestChain && names.length > 0; step++) {
    const next: string[] = []
    for (const name of names) {
      const delegated = [name, ...parentsOf(name)].filter((each) => each !== zone)
      const servers = delegated.flatMap(recordsAt).filter(({ type }) => type === 'NS')
      const own = recordsAt(name)
      const wildcard = parentsOf(name)
        .map((parent) => recordsAt(`*.${parent}`))
        .find((found) => found.length > 0)
      const answering = (own.length > 0 ? own : (wildcard ?? [])).filter(answersHost)
      for (const record of servers.length > 0 ? servers : answering) {
        if (ids.has(record.id)) continue
        ids.add(record.id)
        if (record.type === 'CNAME' && record.content) next.push(record.content)
      }
    }
    names = next
  }
  return ids
}

/** A site is also its www, where somebody has set that up. */
const hostsOf = ({ domain }: SiteHost, recordsAt: RecordsAt): string[] =>
  recordsAt(`www.${domain}`).length > 0 ? [domain, `www.${domain}`] : [domain]

function mailOf({ type, name, content }: Known, records: readonly Known[]): Mail[] {
  if (type === 'MX') return [{ domain: name, reason: 'mx' }]
  const key = name.indexOf('._domainkey.')
  if (key >= 0) return [{ domain: name.slice(key + '._domainkey.'.length), reason: 'dkim' }]
  if (name.startsWith('_dmarc.')) return [{ domain: name.slice('_dmarc.'.length), reason: 'dmarc' }]
  if (type === 'TXT') return /^"?v=spf1\b/i.test(content ?? '') ? [{ domain: name, reason: 'spf' }] : []
  if (!answersHost({ id: '', type, name })) return []
  return records
    .filter((record) => record.type === 'MX' && record.content === name)
    .map((record) => ({ domain: record.name, reason: 'mail_host' }))
}

const oncePerDomain = (mail: Mail[]): Mail[] => [...new Map(mail.toReversed().map((one) => [one.domain, one])).values()]

/** What depends on a record, as it was or as it would be. */
export function impactOf(
  { before, after }: Edit,
  zone: string,
  all: readonly Known[],
  sites: readonly SiteHost[],
): Impact {
  const rest = all.filter(({ id }) => id !== before?.id)
  const then = after ? [...rest, after] : rest
  const [atNow, atThen] = [byName(all), byName(then)]
  const leadsTo = (site: SiteHost, record: Known | null, recordsAt: RecordsAt): boolean =>
    record !== null && hostsOf(site, recordsAt).some((host) => pathOf(host, zone, recordsAt).has(record.id))
  const isServed = (site: SiteHost): boolean => leadsTo(site, before, atNow) || leadsTo(site, after, atThen)
  const served = sites.filter(isServed)
  const mail = [before, after].flatMap((record) => (record ? mailOf(record, all) : []))
  return {
    sites: served.slice(0, mostNamed).map(({ id, site_name, customer_name }) => ({ id, site_name, customer_name })),
    sites_total: served.length,
    mail: oncePerDomain(mail),
    orphaned: before && then.every(({ name }) => name !== before.name) ? before.name : null,
  }
}
