import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'

/** The types that the console writes; others are shown. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'] as const
export type RecordType = (typeof recordTypes)[number]

export const dnsRecord = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string().nullable(),
  /** Seconds; 1 is automatic. */
  ttl: z.number().nullable(),
  proxied: z.boolean().nullable(),
  priority: z.number().nullable(),
  comment: z.string().nullable(),
  /** Of SRV, CAA and the like: what the content is made of. */
  data: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
})
export type DnsRecord = z.output<typeof dnsRecord>

/** A record as somebody saw it: what is changed must still be that. */
const shownRecord = dnsRecord.omit({ id: true })
export type ShownRecord = z.output<typeof shownRecord>

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const nameRule = new RegExp(`^(?:@|\\*|(?:\\*\\.)?(?:${label}\\.)*${label}\\.?)$`)
const hostRule = new RegExp(`^(?=.{1,254}$)(?:${label}\\.)*${label}\\.?$`)

const name = z.string().trim().toLowerCase().max(255).regex(nameRule, 'must be a name such as www, or @ for the domain')
const host = z.string().trim().toLowerCase().regex(hostRule, 'must be a host name')
const ttlText = 'must be 1 for automatic, or 60 to 86400 seconds'
const ttl = z.int(ttlText).refine((seconds) => seconds === 1 || (seconds >= 60 && seconds <= 86_400), ttlText)
const comment = z.string().trim().max(500).nullable().default(null)
const proxied = z.boolean().default(false)
const upTo = (most: number) => {
  const text = `must be a whole number from 0 to ${most}`
  return z.int(text).min(0, text).max(most, text)
}
const common = { name, ttl, comment }

/** A record as it should be; the name whole or within the domain. */
export const recordInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('A'), ...common, content: z.ipv4('must be an IPv4 address'), proxied }),
  z.strictObject({ type: z.literal('AAAA'), ...common, content: z.ipv6('must be an IPv6 address'), proxied }),
  z.strictObject({ type: z.literal('CNAME'), ...common, content: host, proxied }),
  z.strictObject({ type: z.literal('MX'), ...common, content: host, priority: upTo(65_535) }),
  z.strictObject({ type: z.literal('NS'), ...common, content: host }),
  z.strictObject({
    type: z.literal('TXT'),
    ...common,
    content: z.string().trim().min(1, 'must not be empty').max(4096, 'must have at most 4,096 characters'),
  }),
  z.strictObject({
    type: z.literal('SRV'),
    ...common,
    data: z.strictObject({ priority: upTo(65_535), weight: upTo(65_535), port: upTo(65_535), target: host }),
  }),
  z.strictObject({
    type: z.literal('CAA'),
    ...common,
    data: z.strictObject({
      flags: upTo(255),
      tag: z.enum(['issue', 'issuewild', 'iodef'], 'must be issue, issuewild or iodef'),
      value: z.string().trim().min(1, 'must not be empty').max(255),
    }),
  }),
])
export type RecordInput = z.output<typeof recordInput>

export const changeKinds = ['create', 'update', 'delete', 'set', 'add_zone', 'undo'] as const

/** A change of a record or of a setting of a domain. */
export const recordChange = z.object({
  id: z.string(),
  kind: z.enum(changeKinds),
  /** `the A record www.harbour.example`, `the SSL mode of harbour.example` */
  what: z.string(),
  at: instant,
  by: z.string(),
  /** null: it cannot be undone. */
  undo_until: instant.nullable(),
})
export type RecordChange = z.output<typeof recordChange>

const pageText = 'must be a whole number from 1 to 100'

export const listDomainRecords = endpoint({
  method: 'GET',
  path: '/cloudflare/zones/:id/records',
  permission: 'sites.read',
  summary: 'DNS records of a domain, 100 a page, as Cloudflare has them now, and the last change made here',
  params: idParams,
  query: z.strictObject({
    page: z.coerce.number({ error: pageText }).int(pageText).min(1, pageText).max(100, pageText).default(1),
  }),
  response: z.object({
    records: z.array(dnsRecord),
    has_more: z.boolean(),
    total: count.nullable(),
    fetched_at: instant,
    last_change: recordChange.nullable(),
  }),
  topics: ['dns_records'],
  isPersonal: true,
})

/** Why mail depends on a record. */
export const mailReasons = ['mx', 'mail_host', 'spf', 'dkim', 'dmarc'] as const

export const previewRecord = endpoint({
  method: 'GET',
  path: '/cloudflare/zones/:id/records/preview',
  permission: 'sites.read',
  summary:
    'What a change of DNS records affects: with a type and a name an addition or an edit, without them a deletion',
  params: idParams,
  query: z.strictObject({
    /** The record that is changed or deleted; none for an addition. */
    record: z.string().min(1).max(255).optional(),
    type: z.enum(recordTypes).optional(),
    name: z.string().trim().max(255).optional(),
    /** As much of it as says what it is for. */
    content: z.string().trim().max(255).optional(),
  }),
  response: z.object({
    /** The first hundred by name. */
    sites: z.array(z.object({ id: z.string(), site_name: z.string(), customer_name: z.string().nullable() })),
    sites_total: z.int(),
    mail: z.array(z.object({ domain: z.string(), reason: z.enum(mailReasons) })),
    /** The name that nothing answers for afterwards. */
    orphaned: z.string().nullable(),
  }),
  topics: ['dns_records', 'domains', 'sites'],
  isPersonal: true,
})

const recordParams = z.object({ id: z.string().min(1).max(255), record: z.string().min(1).max(255) })

export const changed = z.object({
  change_id: z.string(),
  /** As it is now; null once it is deleted, and for a setting. */
  record: dnsRecord.nullable(),
  undo_until: instant.nullable(),
})

export const createRecord = endpoint({
  method: 'POST',
  path: '/cloudflare/zones/:id/records',
  permission: 'sites.write',
  summary: 'Adds a DNS record',
  params: idParams,
  body: z.strictObject({ record: recordInput }),
  response: changed,
  idempotent: true,
})

export const updateRecord = endpoint({
  method: 'PATCH',
  path: '/cloudflare/zones/:id/records/:record',
  permission: 'sites.write',
  summary: 'Changes a DNS record that is still as it was shown; refused with both versions when it is not',
  params: recordParams,
  body: z.strictObject({ shown: shownRecord, record: recordInput }),
  response: changed,
  idempotent: true,
})

export const deleteRecord = endpoint({
  method: 'POST',
  path: '/cloudflare/zones/:id/records/delete',
  permission: 'sites.write',
  summary: 'Deletes a DNS record that is still as it was shown; refused with both versions when it is not',
  params: idParams,
  body: z.strictObject({ shown: dnsRecord }),
  response: changed,
  idempotent: true,
})

export const undoRecordChange = endpoint({
  method: 'POST',
  path: '/cloudflare/zones/:id/records/undo',
  permission: 'sites.write',
  summary: 'Undoes the last change of the DNS records and settings of a domain, within an hour',
  params: idParams,
  body: z.strictObject({ change_id: z.string().min(1).max(255) }),
  response: changed,
  idempotent: true,
})

export const exportZoneFile = endpoint({
  method: 'GET',
  path: '/cloudflare/zones/:id/records/zone-file',
  permission: 'sites.read',
  summary: 'DNS records of a domain as a zone file, as Cloudflare has them now',
  params: idParams,
  response: z.object({ name: z.string(), text: z.string() }),
  topics: ['dns_records'],
  isPersonal: true,
})

export const zoneFileLimits = { characters: 200_000, entries: 500 }
const tooLong = `must have at most ${zoneFileLimits.characters.toLocaleString('en-US')} characters`

const zoneFileEntry = z.object({
  /** Where it begins, from 1. */
  line: count,
  /** `A www.harbour.example`, or as it stands where it cannot be read. */
  title: z.string(),
  /** What is added; null: it is left out. */
  record: recordInput.nullable(),
  /** What it says, or why it is left out. */
  detail: z.string(),
})
export type ZoneFileEntry = z.output<typeof zoneFileEntry>

export const readZoneFile = endpoint({
  method: 'POST',
  path: '/cloudflare/zones/:id/records/zone-file',
  permission: 'sites.write',
  summary: 'What of a zone file would be added to a domain; nothing is changed',
  params: idParams,
  body: z.strictObject({
    text: z.string().max(zoneFileLimits.characters, tooLong).regex(/\S/, 'must not be empty'),
  }),
  response: z.object({ entries: z.array(zoneFileEntry) }),
})
