import { probes } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import type { ApplyProbe } from './service/apply.ts'
import { getPerformance } from './service/performance.ts'
import { probeSite } from './service/probe-site.ts'

export const probeRoutes = (apply: ApplyProbe) =>
  routesOf(probes, {
    getSitePerformance: async ({ ctx, params, query }) => ({
      performance: await getPerformance(ctx, params.id, query.range),
    }),
    probeSite: ({ ctx, params }) => probeSite(ctx, apply, params.id),
  })
