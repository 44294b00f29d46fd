import { checks, heartbeats, probes, registrations } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { lookAtRegistrations } from './registration/look.ts'
import { forgetOldProbes, makeProbeDays, rollUpHours } from './roll-up.ts'
import type { ApplyProbe } from './service/apply.ts'
import { getChecks, updateChecks } from './service/checks.ts'
import { getHeartbeat, rotateHeartbeat, updateHeartbeat } from './service/heartbeat.ts'
import { getPerformance } from './service/performance.ts'
import { probeSite } from './service/probe-site.ts'
import { getRegistration } from './service/registration.ts'
import { tryChecks, whileConnected } from './service/try-checks.ts'
import { sweep } from './sweep.ts'

export { probeSoon } from './probe-soon.ts'
export { countedHealth } from './queries/counted.ts'
export { findRolledUntil, spansOf } from './queries/history.ts'
export { findOutage } from './queries/outage.ts'
export { shareBetween } from './score.ts'
export type { Measured } from './service/apply.ts'
export { siteWatch } from './watch.ts'
export { heartbeatCalls } from './webhook.ts'

export const probeRoutes = (apply: ApplyProbe) => [
  ...routesOf(probes, {
    getSitePerformance: async ({ ctx, params, query }) => ({
      performance: await getPerformance(ctx, params.id, query.range),
    }),
    probeSite: ({ ctx, params }) => probeSite(ctx, apply, params.id),
  }),
  ...routesOf(checks, {
    getSiteChecks: async ({ ctx, params }) => ({ checks: await getChecks(ctx, params.id) }),
    updateSiteChecks: async ({ ctx, params, body }) => ({ checks: await updateChecks(ctx, params.id, body) }),
    trySiteChecks: async ({ ctx, params, body, reply }) => ({
      trial: await tryChecks(ctx, params.id, body, whileConnected(reply.raw)),
    }),
  }),
  ...routesOf(heartbeats, {
    getSiteHeartbeat: async ({ ctx, params }) => ({ heartbeat: await getHeartbeat(ctx, params.id) }),
    updateSiteHeartbeat: async ({ ctx, params, body }) => ({ heartbeat: await updateHeartbeat(ctx, params.id, body) }),
    rotateSiteHeartbeat: ({ ctx, params }) => rotateHeartbeat(ctx, params.id),
  }),
  ...routesOf(registrations, {
    getSiteRegistration: async ({ ctx, params }) => ({ registration: await getRegistration(ctx, params.id) }),
  }),
]

export const probeJobs = (apply: ApplyProbe) => [
  job({
    name: 'probes.sweep',
    input: z.object({}),
    schedule: '* * * * *',
    policy: 'alone',
    run: (ctx) => sweep(ctx, apply),
  }),
  job({
    name: 'probes.registrations',
    input: z.object({}),
    schedule: '*/10 * * * *',
    policy: 'alone',
    atStart: true,
    expireS: 3600,
    retries: 0,
    run: (ctx, _input, { signal }) => lookAtRegistrations(ctx, signal),
  }),
  job({
    name: 'probes.roll_up',
    input: z.object({}),
    schedule: '7 * * * *',
    policy: 'alone',
    atStart: true,
    async run(ctx) {
      await makeProbeDays(ctx)
      await rollUpHours(ctx)
    },
  }),
  job({
    name: 'probes.forget',
    input: z.object({}),
    schedule: '50 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldProbes(ctx),
  }),
]
