import { dunning } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getDunning, listFailedInvoices } from './service.ts'

export { dunningExport } from './dunning-export.ts'

export const dunningRoutes = routesOf(dunning, {
  listFailedInvoices: ({ ctx, query }) => listFailedInvoices(ctx, query),
  getDunning: ({ ctx }) => getDunning(ctx),
})
