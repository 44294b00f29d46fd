import * as health from '@agency/contract/health'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { sendHeartbeat } from './heartbeat.ts'
import { forgetOldMinutes, getHealth } from './service.ts'

export { createHealthMonitor } from './monitor.ts'
export { findDisk, judgeDisk } from './parts.ts'
export { answersDatabase, createStartState, getHealth, isStarting } from './service.ts'

export const healthRoutes = routesOf(health, {
  getHealth: ({ ctx }) => getHealth(ctx),
})

export const healthJobs = [
  job({
    name: 'health.heartbeat',
    input: z.object({}),
    schedule: '* * * * *',
    policy: 'alone',
    atStart: true,
    // The next minute calls again anyway.
    retries: 0,
    run: (ctx, _input, { signal }) => sendHeartbeat(ctx, signal),
  }),
  job({
    name: 'health.forget',
    input: z.object({}),
    schedule: '35 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldMinutes(ctx),
  }),
]
