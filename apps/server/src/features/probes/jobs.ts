import { z } from 'zod'
import { job } from '../../platform/job.ts'
import { siteJob } from './probe-soon.ts'
import { forgetOldProbes, rollUpHours } from './roll-up.ts'
import { forgetStale, lookAtDue } from './runner.ts'
import type { ApplyProbe } from './service/apply.ts'
import { lookAtSite } from './service/probe-site.ts'

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
