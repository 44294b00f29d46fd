import { type Answered, quoted, toShown } from '../record.ts'

const dotted = (name: string): string => (name.endsWith('.') ? name : `${name}.`)

/** What stands behind the type; null where nothing can be said of it. */
function dataOf({ type, content, priority, data }: ReturnType<typeof toShown>): string | null {
  if (type === 'SRV' && data) {
    const { weight, port, target } = data
    return [data['priority'] ?? priority, weight, port, dotted(String(target))].join(' ')
  }
  if (type === 'CAA' && data) return [data['flags'], data['tag'], quoted(String(data['value']))].join(' ')
  if (content === null) return null
  if (type === 'TXT') return quoted(content)
  if (type === 'MX') return `${priority ?? 0} ${dotted(content)}`
  return type === 'CNAME' || type === 'NS' || type === 'PTR' ? dotted(content) : content
}

/** Comments end with their line, so one that has several is written on one. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function lineOf(record: Answered): string {
  const shown = toShown(record)
  const data = dataOf(shown)
  // Said rather than dropped.
  if (data === null) return `; left out: ${shown.type} ${shown.name}`
  const notes = [
    ...(shown.comment ? [oneLine(shown.comment)] : []),
    ...(shown.proxied ? ['cf_tags=cf-proxied:true'] : []),
  ]
  const line = [dotted(shown.name), shown.ttl ?? 1, 'IN', shown.type, data].join('\t')
  return notes.length === 0 ? line : `${line} ; ${notes.join(' ')}`
}

/** Records as name servers read them; a time to live of 1 is automatic, as Cloudflare writes it. */
export function zoneFileOf(zone: string, records: readonly Answered[], at: Date): string {
  const lines = records
    .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : a.name < b.name ? -1 : 1))
    .map(lineOf)
  return [`; DNS records of ${zone}, ${at.toISOString()}`, `$ORIGIN ${dotted(zone)}`, ...lines, ''].join('\n')
}
