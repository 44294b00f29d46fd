import { z } from 'zod'
import { job } from '../../platform/job.ts'
import { settleEnded } from './service/settle.ts'

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
