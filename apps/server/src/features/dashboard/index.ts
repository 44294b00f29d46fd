import { dashboard } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getHistory } from './history.ts'
import { getNeeds } from './needs/get-needs.ts'
import { getDashboard } from './service.ts'

export const dashboardRoutes = routesOf(dashboard, {
  getDashboard: ({ ctx, query }) => getDashboard(ctx, query.sections),
  getDashboardHistory: async ({ ctx }) => ({ history: await getHistory(ctx) }),
  getNeeds: ({ ctx }) => getNeeds(ctx),
})
