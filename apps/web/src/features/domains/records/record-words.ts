import type * as dnsRecords from '@agency/contract/descriptors/dns-records'
import type { DnsRecord, RecordChange, RecordType } from '@agency/contract/types'
import type { ResponseOf } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'

export type Impact = ResponseOf<typeof dnsRecords.previewRecord>

/** As name servers and Cloudflare write it: without the domain's own name, which is every record's end. */
export const nameWithin = (name: string, domain: string | undefined): string =>
  name === domain ? '@' : domain !== undefined && name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name

/** `the A record www.harbour.example` */
export const recordTitle = ({ type, name }: Pick<DnsRecord, 'type' | 'name'>): string => `the ${type} record ${name}`

/** Types that the console writes; the others are shown. */
export const typeNames: Record<RecordType, string> = {
  A: 'A (IPv4 address)',
  AAAA: 'AAAA (IPv6 address)',
  CNAME: 'CNAME (alias)',
  MX: 'MX (mail server)',
  TXT: 'TXT (text)',
  NS: 'NS (name server)',
  SRV: 'SRV (service)',
  CAA: 'CAA (certificate authority)',
}

export const isWritable = (type: string): type is RecordType => Object.hasOwn(typeNames, type)
export const isProxiable = (type: string): boolean => type === 'A' || type === 'AAAA' || type === 'CNAME'

const done: Record<RecordChange['kind'], string> = {
  create: 'added',
  update: 'changed',
  delete: 'deleted',
  set: 'changed',
  add_zone: 'added',
  undo: 'undid the last change of',
}
/** `Ada changed the A record www.harbour.example` */
export const changeSentence = ({ by, kind, what }: RecordChange): string => `${by} ${done[kind]} ${what}`

const mostNames = 10
const restText = (count: number): string => `${formatCount(count)} more ${count === 1 ? 'site' : 'sites'}`

/** What a change touches, a sentence each. */
export function impactSentences({ sites, sites_total, mail, orphaned }: Impact, isNew: boolean): string[] {
  const named = sites.slice(0, mostNames)
  const rest = sites_total - named.length
  const lines = [
    ...named.map(({ site_name }) => `${site_name} ${isNew ? 'will be' : 'is'} served through this record`),
    ...(rest > 0
      ? [`${restText(rest)} ${isNew ? 'will be' : rest === 1 ? 'is' : 'are'} served through this record`]
      : []),
    ...mail.map(({ domain }) => `Mail for ${domain} depends on this record`),
    ...(orphaned === null ? [] : [`Nothing else answers for ${orphaned}`]),
  ]
  return lines.length === 0 ? ['No sites or mail affected'] : lines
}
