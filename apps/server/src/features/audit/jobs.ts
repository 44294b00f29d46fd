import { job } from '../../platform/job.ts'
import { dailyVerificationJob, verifyJob } from './job-settings.ts'
import { requestVerification, runVerification } from './service/verify.ts'

export const auditJobs = [
  job({ ...verifyJob, atStart: true, run: (ctx, _input, run) => runVerification(ctx, run) }),
  job({
    ...dailyVerificationJob,
    run: async (ctx) => {
      await requestVerification(ctx)
    },
  }),
]
