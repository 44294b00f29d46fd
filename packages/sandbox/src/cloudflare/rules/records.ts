import { isIPv4, isIPv6 } from 'node:net'
import { badParameter, badRecord, badTtl, missingField } from '../http/errors.ts'

type Data = Record<string, string | number>

/** A DNS record as it is kept and answered. */
export type StoredRecord = {
  id: string
  name: string
  type: string
  content: string
  proxiable: boolean
  proxied: boolean
  ttl: number
  settings: Record<string, unknown>
  meta: Record<string, unknown>
  comment: string | null
  tags: string[]
  created_on: string
  modified_on: string
  comment_modified_on?: string
  priority?: number
  data?: Data
}

type Body = Record<string, unknown>
export type RecordPlace = { zone: string; plan: string; now: number }

const proxiableTypes = new Set(['A', 'AAAA', 'CNAME'])
export const recordFields = [
  ...['type', 'name', 'content', 'data', 'ttl', 'proxied', 'priority', 'comment', 'tags', 'settings'],
]
const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const hostName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)*${label}$`)
const recordName = new RegExp(`^(?=.{1,253}$)(?:\\*\\.)?(?:${label}\\.)*${label}$`)
const longestComment: Record<string, number> = { free: 100 }
const longestTxt = 4096

const isHost = (text: unknown): text is string => typeof text === 'string' && hostName.test(withoutDot(text))
const withoutDot = (name: string): string => name.trim().toLowerCase().replace(/\.$/, '')

/** Names may be given within the zone, as `www` or `@`; they are kept whole. */
function wholeName(given: unknown, zone: string): string {
  if (typeof given !== 'string' || given.trim() === '') throw badRecord(9000, 'DNS name is invalid.')
  const name = withoutDot(given)
  const whole = name === '@' ? zone : name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`
  // A zone's own name may be anything; what stands before it may not.
  const before = whole.slice(0, Math.max(0, whole.length - zone.length - 1))
  if (before !== '' && before !== '*' && !recordName.test(before)) throw badRecord(9000, 'DNS name is invalid.')
  return whole
}

function whole(data: Body, name: string, most: number): number {
  const value = data[name]
  if (value === undefined || value === null) throw missingField(name)
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > most)
    throw badRecord(9100, `${name} must be a whole number between 0 and ${most}.`)
  return Number(value)
}

function dataOf(body: Body): Body {
  const data = body['data']
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw missingField('data')
  return data as Body
}

type Content = Pick<StoredRecord, 'content' | 'priority' | 'data'>

function hostContent(body: Body, code: number, message: string): string {
  if (!isHost(body['content'])) throw badRecord(code, message)
  return withoutDot(body['content'])
}

const contents: Record<string, (body: Body) => Content> = {
  A: ({ content }) => {
    if (typeof content !== 'string' || !isIPv4(content))
      throw badRecord(9005, 'Content for A record must be a valid IPv4 address.')
    return { content }
  },
  AAAA: ({ content }) => {
    if (typeof content !== 'string' || !isIPv6(content))
      throw badRecord(9006, 'Content for AAAA record must be a valid IPv6 address.')
    return { content: new URL(`http://[${content}]`).hostname.slice(1, -1) }
  },
  CNAME: (body) => ({ content: hostContent(body, 9007, 'Content for CNAME record is invalid.') }),
  NS: (body) => ({ content: hostContent(body, 9008, 'Content for NS record must be a hostname.') }),
  MX: (body) => ({
    content: hostContent(body, 9009, 'Content for MX record must be a hostname.'),
    priority: whole(body, 'priority', 65_535),
  }),
  TXT: ({ content }) => {
    if (typeof content !== 'string' || content.replaceAll('"', '').trim() === '')
      throw badRecord(9010, 'Content for TXT record must not be empty.')
    if (content.length > longestTxt) throw badRecord(9011, 'Content for TXT record is too long.')
    return { content }
  },
  SRV: (body) => {
    const data = dataOf(body)
    const [priority, weight, port] = ['priority', 'weight', 'port'].map((name) => whole(data, name, 65_535))
    if (!isHost(data['target'])) throw missingField('target')
    const target = withoutDot(data['target'])
    return {
      content: `${weight} ${port} ${target}`,
      priority: priority!,
      data: { priority: priority!, weight: weight!, port: port!, target },
    }
  },
  CAA: (body) => {
    const data = dataOf(body)
    const { tag, value } = data
    const flags = whole(data, 'flags', 255)
    if (tag !== 'issue' && tag !== 'issuewild' && tag !== 'iodef') throw missingField('tag')
    if (typeof value !== 'string' || value === '') throw missingField('value')
    return { content: `${flags} ${tag} "${value}"`, data: { flags, tag, value } }
  },
}

function ttlOf(given: unknown, plan: string): number {
  const least = plan === 'enterprise' ? 30 : 60
  const ttl = given === undefined ? 1 : given
  if (ttl === 1 || (Number.isInteger(ttl) && Number(ttl) >= least && Number(ttl) <= 86_400)) return Number(ttl)
  throw badTtl(least)
}

function proxiedOf(given: unknown, type: string, content: string): boolean {
  if (given === undefined) return false
  if (typeof given !== 'boolean') throw badRecord(9003, "Invalid 'proxied' value, must be a boolean.")
  if (given && !proxiableTypes.has(type)) throw badRecord(9004, 'This record type cannot be proxied.')
  if (given && content.startsWith('127.'))
    throw badRecord(9003, `Target ${content} is not allowed for a proxied record.`)
  return given
}

function commentOf(given: unknown, plan: string): string | null {
  if (given === undefined || given === null || given === '') return null
  if (typeof given !== 'string') throw badParameter('comment must be a text')
  const most = longestComment[plan] ?? 500
  if (given.length > most) throw badRecord(9309, `Comment exceeds the maximum length of ${most} characters.`)
  return given
}

function tagsOf(given: unknown, plan: string): string[] {
  if (given === undefined) return []
  if (!Array.isArray(given) || given.some((tag) => typeof tag !== 'string'))
    throw badParameter('tags must be a list of texts')
  if (plan === 'free' && given.length > 0)
    throw badRecord(9300, `DNS record has ${given.length} tags, exceeding the quota of 0.`)
  return given as string[]
}

function settingsOf(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) throw badParameter('settings must be an object')
  return given as Record<string, unknown>
}

/** What a body makes of a record: of a new one, or of `before` where only what is named changes. */
export function recordOf(
  body: Body,
  { zone, plan, now }: RecordPlace,
  before: Partial<StoredRecord> & { id: string },
): StoredRecord {
  const type = body['type']
  const read = typeof type === 'string' ? contents[type] : undefined
  if (typeof type !== 'string' || !read) throw badParameter(`type must be one of ${Object.keys(contents).join(', ')}`)
  const { content, priority, data } = read(body)
  const name = wholeName(body['name'], zone)
  if (type === 'CNAME' && content === name) throw badRecord(9039, 'A CNAME record cannot reference itself.')
  const proxied = proxiedOf(body['proxied'], type, content)
  const ttl = ttlOf(body['ttl'], plan)
  const at = new Date(now).toISOString()
  const comment = commentOf(body['comment'], plan)
  return {
    id: before.id,
    name,
    type,
    content,
    proxiable: proxiableTypes.has(type),
    proxied,
    // What is proxied is answered by Cloudflare, for as long as it likes.
    ttl: proxied ? 1 : ttl,
    settings: settingsOf(body['settings']),
    meta: before.meta ?? {},
    comment,
    tags: tagsOf(body['tags'], plan),
    created_on: before.created_on ?? at,
    modified_on: at,
    ...(comment !== null && {
      comment_modified_on: comment === before.comment ? (before.comment_modified_on ?? at) : at,
    }),
    ...(priority !== undefined && { priority }),
    ...(data && { data }),
  }
}

const isAddress = ({ type }: StoredRecord) => type === 'A' || type === 'AAAA'

/** What may not stand beside it in one zone. */
export function refuseBeside(record: StoredRecord, all: readonly StoredRecord[]): void {
  const beside = all.filter(({ id, name }) => id !== record.id && name === record.name)
  const same = beside.find(
    ({ type, content, priority }) => type === record.type && content === record.content && priority === record.priority,
  )
  if (same) throw badRecord(81058, 'An identical record already exists.')
  if (record.type === 'CNAME' && beside.some((other) => isAddress(other) || other.type === 'CNAME'))
    throw badRecord(81053, 'An A, AAAA, or CNAME record with that host already exists.')
  if (isAddress(record) && beside.some(({ type }) => type === 'CNAME'))
    throw badRecord(81054, 'A CNAME record with that host already exists.')
  if (record.type !== 'NS' && beside.some(({ type }) => type === 'NS'))
    throw badRecord(81056, 'NS records with that host already exist.')
  if (record.type === 'NS' && beside.some(({ type }) => type !== 'NS'))
    throw badRecord(81057, 'A record with that host already exists.')
}
