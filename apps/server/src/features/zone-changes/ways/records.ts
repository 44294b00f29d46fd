import { createHash } from 'node:crypto'
import type { ShownRecord } from '@agency/contract/types'
import type { Change } from '../queries/changes.ts'
import { type Answered, isAsShown, isAsWanted, isTwin, recordLine, recordTitle, type Sent, toShown } from '../record.ts'
import type { Deed, Way } from './way.ts'

const digest = (wanted: Sent): string => createHash('sha256').update(JSON.stringify(wanted)).digest('hex')

/** What is added has no id yet: it is known by what it is. */
export const addition = (wanted: Sent): Deed => ({
  ...{ kind: 'create', subject: digest(wanted), what: recordTitle(wanted) },
  ...{ record_id: null, shown: null, wanted },
})
export const edit = (id: string, shown: ShownRecord, wanted: Sent): Deed => ({
  ...{ kind: 'update', subject: id, what: recordTitle(shown) },
  ...{ record_id: id, shown, wanted },
})
export const deletion = (id: string, shown: ShownRecord): Deed => ({
  ...{ kind: 'delete', subject: id, what: recordTitle(shown) },
  ...{ record_id: id, shown, wanted: null },
})

const wantedOf = ({ wanted }: Change): Sent => wanted as unknown as Sent
const shownOf = ({ shown }: Change): ShownRecord => shown as unknown as ShownRecord

const actions: Record<string, string> = {
  create: 'domain.add_record',
  update: 'domain.edit_record',
  delete: 'domain.delete_record',
}
const fields: Record<string, string> = {
  ...{ 9000: 'record.name', 81053: 'record.name', 81054: 'record.name', 81056: 'record.name', 81057: 'record.name' },
  ...{ 9003: 'record.proxied', 9004: 'record.proxied', 9021: 'record.ttl', 9309: 'record.comment' },
  ...{ 9005: 'record.content', 9006: 'record.content', 9007: 'record.content', 9008: 'record.content' },
  ...{ 9009: 'record.content', 9010: 'record.content', 9011: 'record.content', 9039: 'record.content' },
  81058: 'record.content',
}

/** As it is told: what was sent has no content of its own where it has parts. */
const factsOf = (record: ShownRecord | Sent | null): object | undefined => {
  if (record === null) return undefined
  const { type, name, ttl, comment } = record
  const { content, priority, proxied, data } = record as Partial<ShownRecord>
  return { type, name, content, priority, data: data ?? undefined, ttl, proxied, comment: comment || null }
}

export const recordWay: Way = {
  noun: 'record',
  async look(gateway, change) {
    if (change.kind === 'create') {
      const wanted = wantedOf(change)
      const rows = await gateway.findRecords(change.zone_id, wanted.type, wanted.name)
      const twin = rows.find((row) => isTwin(row, wanted))
      return { is: twin ? 'wanted' : 'before', now: twin ?? null }
    }
    const now = await gateway.findRecord(change.zone_id, change.record_id ?? '')
    if (now === null) return { is: change.kind === 'delete' ? 'wanted' : 'other', now }
    if (isAsShown(now, shownOf(change))) return { is: 'before', now }
    return { is: change.kind === 'update' && isAsWanted(now, wantedOf(change)) ? 'wanted' : 'other', now }
  },
  async send(gateway, change) {
    if (change.kind === 'create') return gateway.createRecord(change.zone_id, wantedOf(change))
    const id = change.record_id ?? ''
    if (change.kind === 'update') return gateway.editRecord(change.zone_id, id, wantedOf(change))
    await gateway.deleteRecord(change.zone_id, id)
    return null
  },
  conflictOf(change, now) {
    const record = now as Answered | null
    if (change.kind === 'create')
      return { problem: `${recordLine(toShown(record as Answered))} is there already.`, parameter: 'record.content' }
    const saw = `You saw: ${recordLine(shownOf(change))}.`
    const problem = record
      ? `Someone else changed this record. ${saw} Now: ${recordLine(toShown(record))}.`
      : `Someone else deleted this record. ${saw}`
    return { problem, parameter: 'version' }
  },
  rightOf: (_change, to) => `DNS:${to}`,
  fieldOf: (code) => fields[code],
  actionOf: ({ kind, undoes }) => (undoes === null ? (actions[kind] ?? '') : 'domain.undo_record'),
  sidesOf({ kind, before, after, shown, wanted }) {
    const was = before ? toShown(before as unknown as Answered) : (shown as unknown as ShownRecord | null)
    const becomes = after ? toShown(after as unknown as Answered) : (wanted as unknown as Sent | null)
    const { type, name } = (becomes ?? was) as ShownRecord
    return {
      was: factsOf(kind === 'create' ? null : was),
      becomes: kind === 'delete' ? { type, name } : factsOf(becomes),
    }
  },
  idsOf: (after) => ({ record_id: (after as Answered).id }),
}
