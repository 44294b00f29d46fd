import * as audit from '@agency/contract/descriptors/audit'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { auditFilters, auditSearch, filtersOf } from './audit-search.ts'

export const auditList = defineList({
  search: auditSearch,
  filters: auditFilters,
  sizes: [25, 50, 100],
  initialSize: 50,
  query: (page, state) => q(audit.listAudit, { query: { ...page, ...filtersOf(state), group: 'deed' } }),
  rows: (answer) => answer.entries,
})
