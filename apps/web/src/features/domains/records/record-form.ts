import type { DnsRecord, RecordInput, RecordType, ShownRecord } from '@agency/contract/types'
import type { Problems } from '../../../lib/form/use-edit-form.ts'
import { formatCount } from '../../../lib/format.ts'
import { isProxiable, nameWithin } from './record-words.ts'

/** Every field of every type; what a type does not have is not sent. */
export type RecordValues = {
  type: RecordType
  name: string
  ttl: string
  comment: string
  content: string
  proxied: boolean
  priority: string
  weight: string
  port: string
  target: string
  flags: string
  tag: string
  value: string
}

export const newRecord: RecordValues = {
  ...{ type: 'A', name: '', ttl: '1', comment: '', content: '', proxied: true },
  ...{ priority: '10', weight: '0', port: '', target: '', flags: '0', tag: 'issue', value: '' },
}

/** The strings of a text record as one text, as somebody would type it. */
function plainText(content: string): string {
  const strings = content.match(/"(?:[^"\\]|\\.)*"/gs)
  const text = strings?.map((part) => part.slice(1, -1).replaceAll('\\"', '"')).join('')
  // A text that begins with a quote would be taken for one that is quoted.
  return text === undefined || text.startsWith('"') ? content : text
}

export function valuesOf(record: DnsRecord, domain: string): RecordValues {
  const { data } = record
  const part = (field: string, without: string) => String(data?.[field] ?? without)
  return {
    type: record.type as RecordType,
    name: nameWithin(record.name, domain),
    ttl: String(record.ttl ?? 1),
    comment: record.comment ?? '',
    content: record.type === 'TXT' ? plainText(record.content ?? '') : (record.content ?? ''),
    proxied: record.proxied ?? false,
    priority: String(record.priority ?? data?.['priority'] ?? ''),
    ...{ weight: part('weight', '0'), port: part('port', ''), target: part('target', '') },
    ...{ flags: part('flags', '0'), tag: part('tag', 'issue'), value: part('value', '') },
  }
}

/** What stood on the screen: the server compares it with what Cloudflare has. */
export const shownOf = ({ id: _id, ...shown }: DnsRecord): ShownRecord => shown

export function inputOf(values: RecordValues): RecordInput {
  const { type, name, content, proxied, tag, value, target } = values
  const [priority, weight, port, flags] = [values.priority, values.weight, values.port, values.flags].map(Number)
  const common = { name: name.trim(), ttl: Number(values.ttl), comment: values.comment.trim() || null }
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'CNAME':
      return { ...common, type, content: content.trim(), proxied }
    case 'MX':
      return { ...common, type, content: content.trim(), priority: priority ?? 0 }
    case 'NS':
    case 'TXT':
      return { ...common, type, content: content.trim() }
    case 'SRV':
      return {
        ...common,
        type,
        data: { priority: priority ?? 0, weight: weight ?? 0, port: port ?? 0, target: target.trim() },
      }
    case 'CAA':
      return { ...common, type, data: { flags: flags ?? 0, tag: tag as 'issue', value: value.trim() } }
  }
}

/** The same record with the proxy the other way; Cloudflare chooses the TTL of what it proxies. */
export const withProxy = (record: DnsRecord, domain: string, proxied: boolean): RecordInput =>
  inputOf({ ...valuesOf(record, domain), proxied })

const isWhole = (text: string, most: number) => /^\d{1,5}$/.test(text.trim()) && Number(text) <= most
const wholeProblem = (text: string, most: number) =>
  isWhole(text, most) ? undefined : `Enter a whole number from 0 to ${formatCount(most)}`
const emptyProblem = (text: string, what: string) => (text.trim() === '' ? `Enter ${what}` : undefined)

const contentNames: Record<RecordType, string> = {
  A: 'an IPv4 address',
  AAAA: 'an IPv6 address',
  CNAME: 'a host name',
  MX: 'a mail server',
  NS: 'a name server',
  TXT: 'a text',
  SRV: 'a target',
  CAA: 'a value',
}

/** What is empty or no number; whether an address is one is for the server, at the same field. */
export function problemsOf(values: RecordValues): Problems<RecordValues> {
  const { type } = values
  const name = emptyProblem(values.name, 'a name, or @ for the domain itself')
  if (type === 'SRV')
    return {
      name,
      priority: wholeProblem(values.priority, 65_535),
      weight: wholeProblem(values.weight, 65_535),
      port: wholeProblem(values.port, 65_535),
      target: emptyProblem(values.target, contentNames.SRV),
    }
  if (type === 'CAA')
    return { name, flags: wholeProblem(values.flags, 255), value: emptyProblem(values.value, contentNames.CAA) }
  const priority = type === 'MX' ? wholeProblem(values.priority, 65_535) : undefined
  return { name, priority, content: emptyProblem(values.content, contentNames[type]) }
}

/** Cloudflare answers for what it proxies, so its TTL is not chosen. */
export const hasTtl = ({ type, proxied }: Pick<RecordValues, 'type' | 'proxied'>): boolean =>
  !(isProxiable(type) && proxied)
