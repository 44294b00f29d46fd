import { audit } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getEntry, listEntries, listFacets } from './service/entries.ts'
import { exportCsv, exportLines } from './service/export-entries.ts'
import { cancelVerification, getChain, requestVerification } from './service/verify.ts'

export const auditRoutes = routesOf(audit, {
  listAudit: ({ ctx, query }) => listEntries(ctx, query),
  getAuditEntry: ({ ctx, params }) => getEntry(ctx, params.id),
  listAuditFacets: ({ ctx }) => listFacets(ctx),
  exportAudit: ({ ctx, query, reply }) => exportCsv(ctx, query, reply),
  exportAuditLines: ({ ctx, query, reply }) => exportLines(ctx, query, reply),
  getAuditChain: ({ ctx }) => getChain(ctx),
  verifyAudit: ({ ctx }) => requestVerification(ctx),
  cancelAuditVerification: ({ ctx }) => cancelVerification(ctx),
})
