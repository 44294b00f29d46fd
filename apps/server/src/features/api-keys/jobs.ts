import { z } from 'zod'
import { job } from '../../platform/job.ts'
import { remindOfEnds } from './remind.ts'

export const apiKeyJobs = [
  job({
    name: 'api-keys.remind',
    input: z.object({}),
    schedule: '10 6 * * *',
    policy: 'alone',
    run: (ctx) => remindOfEnds(ctx),
  }),
]
