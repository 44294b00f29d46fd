import { recordInput } from '@agency/contract/dns-records'
import type { RecordInput } from '@agency/contract/types'
import { type FileRecord, wholeIn } from './resource-records.ts'

/** Cloudflare's own note of what it proxies, in the files that it exports. */
const proxiedTag = /\s*\bcf_tags=(\S*)\s*$/
const leastTtl = 60
const mostTtl = 86_400

const whole = (text: string | undefined): number =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN

function contentOf({ type, data, origin }: FileRecord): object {
  const texts = data.map(({ text }) => text)
  const [first = '', second = '', third = '', fourth = ''] = texts
  switch (type) {
    case 'CNAME':
    case 'NS':
      return { content: wholeIn(origin, first) }
    case 'MX':
      return { priority: whole(first), content: wholeIn(origin, second) }
    case 'TXT':
      return { content: texts.join('') }
    case 'SRV':
      return {
        data: { priority: whole(first), weight: whole(second), port: whole(third), target: wholeIn(origin, fourth) },
      }
    case 'CAA':
      return { data: { flags: whole(first), tag: second.toLowerCase(), value: third } }
    default:
      return { content: first }
  }
}

/** 1 is automatic, as Cloudflare writes it too; the rest within what it takes. */
function ttlOf(ttl: number | null): number {
  return ttl === null || ttl === 1 ? 1 : Math.min(mostTtl, Math.max(leastTtl, ttl))
}

const proxiable = new Set(['A', 'AAAA', 'CNAME'])

/** What would be added for a record of a zone file, or why it cannot be read. */
export function toInput(record: FileRecord): RecordInput | string {
  const tags = proxiedTag.exec(record.comment)?.[1] ?? ''
  const comment = record.comment.replace(proxiedTag, '').trim()
  const result = recordInput.safeParse({
    ...{ type: record.type, name: record.name, ttl: ttlOf(record.ttl), comment: comment === '' ? null : comment },
    ...(proxiable.has(record.type) && { proxied: tags.split(',').includes('cf-proxied:true') }),
    ...contentOf(record),
  })
  if (result.success) return result.data
  const [issue] = result.error.issues
  return `${String(issue?.path.at(-1) ?? 'It')} ${issue?.message ?? 'cannot be read'}`
}
