import type { auditEntry } from '@agency/contract/audit'
import type { z } from 'zod'

type Entry = z.output<typeof auditEntry>

/** An entry as the list and the details read it, over the alias `e`. */
export type EntryRow = {
  id: string
  at: string
  actor_type: Entry['actor_type']
  actor_id: string
  actor_name: string
  action: string
  resource_type: string
  resource_id: string | null
  outcome: Entry['outcome']
  before: unknown
  after: unknown
  address: string | null
  request_id: string | null
}

export const entryColumns = `e.id::text as id, iso_utc(e.at) as at, e.actor_type, e.actor_id, e.actor_name, e.action,
  e.resource_type, e.resource_id, e.outcome, e.before, e.after, e.address, e.request_id`
