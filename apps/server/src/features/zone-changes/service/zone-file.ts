import type { dnsRecords } from '@agency/contract'
import { zoneFileLimits } from '@agency/contract/dns-records'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RecordInput, ZoneFileEntry } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { type Answered, isTwin, recordFacts, type Sent, toSent } from '../record.ts'
import { type Read, readRecords } from '../zone-file/resource-records.ts'
import { toInput } from '../zone-file/to-input.ts'
import { zoneFileOf } from '../zone-file/write-zone-file.ts'
import { getZone, namesRight } from './zone.ts'

type Where = Pick<AppContext, 'db' | 'cloudflare' | 'clock'>

const readAll = async (ctx: Where, id: string) => {
  const zone = await getZone(ctx, id)
  return { zone: zone.name, records: await zone.gateway.listAllRecords(zone.id).catch(namesRight('DNS:Read')) }
}

export async function exportZoneFile(ctx: Where, id: string): Promise<ResponseOf<typeof dnsRecords.exportZoneFile>> {
  const { zone, records } = await readAll(ctx, id)
  return { name: `${zone}.zone`, text: zoneFileOf(zone, records, new Date(ctx.clock())) }
}

const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`)

/** Why a record of the file is not added although it can be read. */
function leftOut(input: RecordInput, sent: Sent, zone: string, there: readonly Answered[], before: readonly Sent[]) {
  if (input.type === 'NS' && sent.name === zone) return 'Cloudflare has name servers of its own'
  if (there.some((record) => isTwin(record, sent))) return 'Exists already'
  if (before.some((other) => isTwin(asAnswered(other), sent))) return 'Stands in the file twice'
  return undefined
}

const asAnswered = (sent: Sent): Answered => ({ id: '', ...sent }) as Answered

const shownText = (sent: Sent): string => {
  const { content, data, priority = null, proxied = null } = sent as Partial<Answered>
  const { ttl, comment } = sent
  return recordFacts({ content: content ?? Object.values(data ?? {}).join(' '), ttl, proxied, priority, comment })
}

function entryOf(read: Read, zone: string, there: readonly Answered[], before: Sent[]): ZoneFileEntry {
  const { line } = read
  if ('problem' in read) return { line, title: read.text.slice(0, 120), record: null, detail: read.problem }
  const title = `${read.type} ${read.name}`
  const out = (detail: string): ZoneFileEntry => ({ line, title, record: null, detail })
  if (!isWithin(read.name, zone)) return out(`Not part of ${zone}`)
  if (read.type === 'SOA') return out('Cloudflare keeps this record itself')
  const input = toInput(read)
  if (typeof input === 'string') return out(input)
  const sent = toSent(input, zone)
  const why = leftOut(input, sent, zone, there, before)
  if (why !== undefined) return out(why)
  before.push(sent)
  return { line, title, record: input, detail: shownText(sent) }
}

/** What of a zone file would be added, entry by entry, by what Cloudflare has now. */
export async function readZoneFile(
  ctx: Where,
  id: string,
  text: string,
): Promise<ResponseOf<typeof dnsRecords.readZoneFile>> {
  const { zone, records } = await readAll(ctx, id)
  const read = readRecords(text, zone)
  if (read.length > zoneFileLimits.entries)
    throw invalidParameter('text', `must have at most ${zoneFileLimits.entries} records; this file has ${read.length}`)
  const before: Sent[] = []
  return { entries: read.map((each) => entryOf(each, zone, records, before)) }
}
