import { audit } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { dailyVerificationJob, sendHeadJob, verifyJob } from './job-settings.ts'
import { sendHeads } from './send-heads.ts'
import { getEntry, listEntries, listFacets } from './service/entries.ts'
import { cancelVerification, getChain, requestVerification, runVerification } from './service/verify.ts'

export { findAnchorState } from './anchor-state.ts'
export { auditExport } from './audit-export.ts'
export { toStep } from './deed.ts'
export { toEntry } from './entry.ts'
export { createHeadKeeper } from './head-keeper.ts'
export { type EntryRow, entryColumnsOf } from './queries/columns.ts'
export { deedOf, findDeeds, isFirstOfDeed } from './queries/deeds.ts'
export { beginSealEpoch } from './seal.ts'
export { isHeadSentSomewhere } from './send-heads.ts'
export { findEntries } from './service/entries.ts'

export const auditRoutes = routesOf(audit, {
  listAudit: ({ ctx, query }) => listEntries(ctx, query),
  getAuditEntry: ({ ctx, params }) => getEntry(ctx, params.id),
  listAuditFacets: ({ ctx }) => listFacets(ctx),
  getAuditChain: ({ ctx }) => getChain(ctx),
  verifyAudit: ({ ctx }) => requestVerification(ctx),
  cancelAuditVerification: ({ ctx }) => cancelVerification(ctx),
})

export const auditJobs = [
  job({ ...verifyJob, atStart: true, run: (ctx, _input, run) => runVerification(ctx, run) }),
  job({
    ...dailyVerificationJob,
    run: async (ctx) => {
      await requestVerification(ctx)
    },
  }),
  job({ ...sendHeadJob, atStart: true, run: (ctx, _input, run) => sendHeads(ctx, run) }),
]
