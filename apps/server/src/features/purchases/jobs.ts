import { z } from 'zod'
import { job } from '../../platform/job.ts'
import { forgetOldReads } from './service.ts'

export const purchaseJobs = [
  job({
    name: 'purchases.forget',
    input: z.object({}),
    schedule: '35 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldReads(ctx),
  }),
]
