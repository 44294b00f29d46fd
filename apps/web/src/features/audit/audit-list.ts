import * as audit from '@agency/contract/descriptors/audit'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { readState } from '../../lib/search-state.ts'
import { type AuditSearch, auditSearch, filtersOf } from './audit-search.ts'

export const auditPaging = { sizes: [25, 50, 100], initialSize: 50 }

export function auditList(page: PageQuery, state: AuditSearch) {
  return q(audit.listAudit, { query: { ...page, ...filtersOf(state) } })
}

/** What the screen asks first, read from its address. */
export function auditQueries(params: URLSearchParams) {
  return [auditList(readPaging(params, auditPaging), readState(auditSearch, params))]
}
