import { impersonation } from '@agency/contract'
import { z } from 'zod'
import { rawJson, routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { endImpersonation } from './service/end-impersonation.ts'
import { getCurrent, getOne, listAll } from './service/list.ts'
import { openPortal } from './service/open-portal.ts'
import { settleEnded } from './service/settle.ts'
import { startView } from './service/start-view.ts'
import { viewAccount, viewInvoices, viewPayments, viewSites, viewSubscriptions } from './service/view.ts'

export { createEndingWatch } from './watch.ts'

export const impersonationRoutes = routesOf(impersonation, {
  startView: async ({ ctx, body }) => ({ impersonation: await startView(ctx, body) }),
  openPortal: ({ ctx, body }) => openPortal(ctx, body),
  listImpersonations: ({ ctx, query }) => listAll(ctx, query),
  getImpersonation: async ({ ctx, params }) => ({ impersonation: await getOne(ctx, params.id) }),
  getCurrentImpersonation: ({ ctx }) => getCurrent(ctx),
  endImpersonation: async ({ ctx, params }) => ({ impersonation: await endImpersonation(ctx, params.id) }),
  viewAccount: async ({ ctx, params }) => ({ account: await viewAccount(ctx, params.id) }),
  viewSubscriptions: ({ ctx, params }) => viewSubscriptions(ctx, params.id),
  viewInvoices: async ({ ctx, params, query }) => rawJson(await viewInvoices(ctx, params.id, query)),
  viewSites: async ({ ctx, params }) => ({ sites: await viewSites(ctx, params.id) }),
  viewPayments: async ({ ctx, params, query }) => rawJson(await viewPayments(ctx, params.id, query)),
})

/** A view is over by itself; this writes down that it was, also when nobody asks for it any more. */
export const impersonationJobs = [
  job({
    name: 'impersonation.settle',
    input: z.object({}),
    schedule: '* * * * *',
    policy: 'alone',
    atStart: true,
    run: (ctx) => settleEnded(ctx),
  }),
]
