import type { AuditEntry } from '@agency/contract/audit'
import { jobTitle } from '../../platform/job-titles.ts'
import { detailsOf } from './audit-words.ts'
import type { EntryRow } from './queries/columns.ts'
import { linkOf } from './resource-links.ts'

export const toEntry = (row: EntryRow): AuditEntry => ({
  id: row.id,
  user_id: row.actor_id,
  user_name: row.actor_type === 'job' ? jobTitle(row.actor_name) : row.actor_name,
  actor_type: row.actor_type,
  action: row.action,
  resource: row.resource_type,
  resource_id: row.resource_id,
  outcome: row.outcome,
  details: detailsOf(row),
  ip_address: row.address,
  request_id: row.request_id,
  created_at: row.at,
  link: linkOf(row),
  steps: 1,
})
