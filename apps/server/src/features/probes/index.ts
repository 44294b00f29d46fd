import { probes } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { siteJob } from './probe-soon.ts'
import { forgetOldProbes, rollUpHours } from './roll-up.ts'
import { forgetStale, lookAtDue } from './runner.ts'
import type { ApplyProbe } from './service/apply.ts'
import { getPerformance } from './service/performance.ts'
import { lookAtSite, probeSite } from './service/probe-site.ts'

export { probeSoon } from './probe-soon.ts'
export { countedHealth } from './queries/counted.ts'
export { findRolledUntil, spansOf } from './queries/history.ts'
export { findOutage } from './queries/outage.ts'
export type { Measured } from './service/apply.ts'

export const probeRoutes = (apply: ApplyProbe) =>
  routesOf(probes, {
    getSitePerformance: async ({ ctx, params, query }) => ({
      performance: await getPerformance(ctx, params.id, query.range),
    }),
    probeSite: ({ ctx, params }) => probeSite(ctx, apply, params.id),
  })

export const probeJobs = (apply: ApplyProbe) => [
  job({
    name: 'probes.run',
    input: z.object({}),
    schedule: '* * * * *',
    atStart: true,
    expireS: 300,
    retries: 0,
    async run(ctx, _input, { signal }) {
      await lookAtDue(ctx, apply, signal)
      await forgetStale(ctx, apply)
    },
  }),
  job({
    ...siteJob,
    run: (ctx, { siteId }, { signal }) => lookAtSite(ctx, apply, siteId, signal),
  }),
  job({
    name: 'probes.roll_up',
    input: z.object({}),
    schedule: '7 * * * *',
    policy: 'alone',
    atStart: true,
    run: (ctx) => rollUpHours(ctx),
  }),
  job({
    name: 'probes.forget',
    input: z.object({}),
    schedule: '50 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldProbes(ctx),
  }),
]
