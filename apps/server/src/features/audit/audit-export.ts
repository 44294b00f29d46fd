import { defineExport } from '../../platform/export-kind.ts'
import { toEntry } from './entry.ts'
import { type ExportedEntry, readEntries } from './queries/entries.ts'

/** All entries that the filters leave; JSON adds what changed and the place in the chain. */
export const auditExport = defineExport<'audit', ExportedEntry>({
  kind: 'audit',
  permission: 'admin.system',
  title: 'Audit log',
  fileName: 'audit',
  formats: ['csv', 'json', 'jsonl', 'xlsx', 'pdf'],
  columns: [
    { title: 'Entry', name: 'id', type: 'text', width: 0.6, value: ({ id }) => id },
    { title: 'Time', name: 'created_at', type: 'instant', width: 1.3, value: ({ at }) => at },
    { title: 'Who', name: 'user_name', type: 'text', width: 1.2, value: ({ actor_name }) => actor_name },
    { title: 'Kind of actor', name: 'actor_type', type: 'text', width: 0.8, value: ({ actor_type }) => actor_type },
    { title: 'Actor ID', name: 'user_id', type: 'text', width: 0, value: ({ actor_id }) => actor_id },
    { title: 'Action', name: 'action', type: 'text', width: 1.3, value: ({ action }) => action },
    { title: 'Resource', name: 'resource', type: 'text', width: 0.9, value: ({ resource_type }) => resource_type },
    { title: 'Resource ID', name: 'resource_id', type: 'text', width: 0, value: ({ resource_id }) => resource_id },
    { title: 'Outcome', name: 'outcome', type: 'text', width: 0.7, value: ({ outcome }) => outcome },
    { title: 'Details', name: 'details', type: 'text', width: 3, value: (entry) => toEntry(entry).details },
    { title: 'Address', name: 'ip_address', type: 'text', value: ({ address }) => address },
    { title: 'User agent', name: 'user_agent', type: 'text', width: 0, value: ({ user_agent }) => user_agent },
    { title: 'Request ID', name: 'request_id', type: 'text', width: 0, value: ({ request_id }) => request_id },
    { title: 'Before', name: 'before', type: 'json', value: ({ before }) => before },
    { title: 'After', name: 'after', type: 'json', value: ({ after }) => after },
    { title: 'Place in the chain', name: 'seq', type: 'json', value: ({ seq }) => seq },
    { title: 'Hash', name: 'hash', type: 'json', value: ({ hash }) => hash },
  ],
  rows: (ctx, filters) => readEntries(ctx.pool, filters),
})
