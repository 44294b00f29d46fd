import { z } from 'zod'
import { job } from '../../platform/job.ts'
import { runSecurityChecks } from './service/checks.ts'

export const securityJobs = [
  job({
    name: 'security.check',
    input: z.object({}),
    schedule: '20 4 * * *',
    policy: 'alone',
    expireS: 300,
    run: async (ctx) => {
      await runSecurityChecks(ctx)
    },
  }),
]
