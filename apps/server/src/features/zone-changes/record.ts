import type { DnsRecord, RecordInput, ShownRecord } from '@agency/contract/types'
import type { RecordInput as Sent } from '../../integrations/cloudflare/record-input.ts'
import type { DnsRecord as Answered } from '../../integrations/cloudflare/zone-answers.ts'

export type { Answered, Sent }

export function toRecord(record: Answered): DnsRecord {
  return { id: record.id, ...toShown(record) }
}

export const toShown = ({ type, name, content, ttl, proxied, priority, comment, data }: Answered): ShownRecord => ({
  type,
  name,
  content: content ?? null,
  ttl: ttl ?? null,
  proxied: proxied ?? null,
  priority: priority ?? null,
  comment: comment || null,
  data: data ?? null,
})

/** `www`, `@` or the whole name, as it stands in a zone. */
export function wholeName(given: string, zone: string): string {
  const name = given.toLowerCase().replace(/\.$/, '')
  if (name === '@' || name === zone) return zone
  return name.endsWith(`.${zone}`) ? name : `${name}.${zone}`
}

const withoutDot = (host: string): string => host.replace(/\.$/, '')
const shortIpv6 = (address: string): string => URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address

const longestString = 255
/** DNS keeps text as strings of at most 255 characters. */
export const quoted = (text: string): string =>
  text.startsWith('"')
    ? text
    : (text.match(new RegExp(`.{1,${longestString}}`, 'gsu')) ?? [])
        .map((part) => `"${part.replaceAll(/[\\"]/g, '\\$&')}"`)
        .join(' ')

/** What is sent to Cloudflare for what somebody typed. */
export function toSent(input: RecordInput, zone: string): Sent {
  const name = wholeName(input.name, zone)
  const common = { name, ttl: input.ttl, comment: input.comment ?? '' }
  switch (input.type) {
    case 'A':
    case 'AAAA':
    case 'CNAME': {
      const { type, proxied, content } = input
      const short = type === 'AAAA' ? shortIpv6(content) : withoutDot(content)
      // Cloudflare answers for what it proxies, for as long as it likes.
      return { ...common, ttl: proxied ? 1 : input.ttl, type, content: short, proxied }
    }
    case 'MX':
      return { ...common, type: 'MX', content: withoutDot(input.content), priority: input.priority }
    case 'NS':
      return { ...common, type: 'NS', content: withoutDot(input.content) }
    case 'TXT':
      return { ...common, type: 'TXT', content: quoted(input.content) }
    case 'SRV':
      return { ...common, type: 'SRV', data: { ...input.data, target: withoutDot(input.data.target) } }
    case 'CAA':
      return { ...common, type: 'CAA', data: input.data }
  }
}

function keptOf({ name, ttl, comment, tags, settings }: Answered) {
  const { ipv4_only, ipv6_only, flatten_cname } = settings ?? {}
  const set = {
    ...(typeof ipv4_only === 'boolean' && { ipv4_only }),
    ...(typeof ipv6_only === 'boolean' && { ipv6_only }),
    ...(typeof flatten_cname === 'boolean' && { flatten_cname }),
  }
  return {
    ...{ name, ttl: ttl ?? 1, comment: comment ?? '' },
    ...(tags && tags.length > 0 && { tags }),
    ...(Object.keys(set).length > 0 && { settings: set }),
  }
}

/** A record as it once was, to be put back; null for a type that the console does not write. */
export function sentAgain(record: Answered): Sent | null {
  const common = keptOf(record)
  const { type, content, proxied, priority, data } = record
  const part = (field: string): number => Number(data?.[field] ?? 0)
  if (type === 'SRV' && data) {
    const [weight, port, target] = [part('weight'), part('port'), String(data['target'] ?? '')]
    return { ...common, type, data: { priority: Number(data['priority'] ?? priority ?? 0), weight, port, target } }
  }
  if (type === 'CAA' && data)
    return { ...common, type, data: { flags: part('flags'), tag: String(data['tag']), value: String(data['value']) } }
  if (typeof content !== 'string') return null
  if (type === 'A' || type === 'AAAA' || type === 'CNAME')
    return { ...common, type, content, proxied: proxied === true }
  if (type === 'MX') return { ...common, type, content, priority: priority ?? 0 }
  return type === 'NS' || type === 'TXT' ? { ...common, type, content } : null
}

const inOrder = (data: object): string => JSON.stringify(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The strings of a text record as one text, quoted or not. */
function plainText(content: string): string {
  const strings = content.match(/"(?:[^"\\]|\\.)*"/gs)
  return strings ? strings.map((part) => part.slice(1, -1).replaceAll(/\\(.)/gs, '$1')).join('') : content
}

function sameContent(record: Answered, wanted: Sent): boolean {
  if ('data' in wanted) {
    // Cloudflare may tell more of it than it was told.
    const known = Object.keys(wanted.data).map((name) => [name, record.data?.[name] ?? null])
    return inOrder(Object.fromEntries(known)) === inOrder(wanted.data)
  }
  const content = record.content ?? ''
  if (wanted.type === 'TXT') return plainText(content) === plainText(wanted.content)
  const isSame = content.toLowerCase() === wanted.content.toLowerCase()
  return isSame && (wanted.type !== 'MX' || record.priority === wanted.priority)
}

/** The same thing in DNS, whatever its TTL, proxy and comment. */
export const isTwin = (record: Answered, wanted: Sent): boolean =>
  record.type === wanted.type && record.name === wanted.name && sameContent(record, wanted)

export const isAsWanted = (record: Answered, wanted: Sent): boolean =>
  isTwin(record, wanted) &&
  record.ttl === wanted.ttl &&
  (record.proxied ?? false) === ('proxied' in wanted && wanted.proxied) &&
  (record.comment ?? '') === wanted.comment

/** Nobody changed anything of it that was shown. */
export function isAsShown(record: Answered, shown: ShownRecord): boolean {
  const { data, ...now } = toShown(record)
  const { data: dataThen, ...then } = shown
  return inOrder(now) === inOrder(then) && inOrder(data ?? {}) === inOrder(dataThen ?? {})
}

export const recordTitle = ({ type, name }: Pick<ShownRecord, 'type' | 'name'>): string => `the ${type} record ${name}`

/** `A www.harbour.example, 203.0.113.7, TTL automatic, proxied` */
export const recordLine = (record: ShownRecord): string => `${record.type} ${record.name}, ${recordFacts(record)}`

type Facts = Omit<ShownRecord, 'type' | 'name' | 'data'>

/** `203.0.113.7, TTL automatic, proxied` */
export function recordFacts({ content, ttl, proxied, priority, comment }: Facts): string {
  const value = [priority, content].filter((part) => part !== null).join(' ')
  const seconds = ttl === null || ttl === 1 ? 'TTL automatic' : `TTL ${ttl} s`
  const proxy = proxied === null ? [] : [proxied ? 'proxied' : 'DNS only']
  return [value, seconds, ...proxy, ...(comment ? [`comment "${comment}"`] : [])].join(', ')
}
