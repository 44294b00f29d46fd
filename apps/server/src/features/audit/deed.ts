import type { AuditEntry, AuditStep } from '@agency/contract/types'
import { toEntry } from './entry.ts'
import type { EntryRow } from './queries/columns.ts'
import type { DeedRow } from './queries/deeds.ts'

const machines = new Set<EntryRow['actor_type']>(['job', 'webhook'])

/** A deed as one line: the sentence of its latest state, by the last person who had a hand in it. */
export function toDeed(place: EntryRow, entries: readonly DeedRow[] | undefined): AuditEntry {
  const [first] = entries ?? []
  if (!entries || !first) return toEntry(place)
  const head = entries.find(({ is_head }) => is_head) ?? first
  const { user_id, user_name, actor_type, ip_address, request_id } = toEntry(
    machines.has(head.actor_type) ? first : head,
  )
  return {
    ...toEntry(head),
    ...{ user_id, user_name, actor_type, ip_address, request_id },
    ...{ id: place.id, created_at: place.at, action: first.action, steps: entries.length },
  }
}

export const toStep = (row: EntryRow): AuditStep => {
  const { id, created_at, details, user_name, actor_type, outcome } = toEntry(row)
  return { id, created_at, details, user_name, actor_type, outcome }
}
