import { z } from 'zod'
import { job } from '../../platform/job.ts'
import { forgetOldMinutes } from './service.ts'

export const healthJobs = [
  job({
    name: 'health.forget',
    input: z.object({}),
    schedule: '35 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldMinutes(ctx),
  }),
]
