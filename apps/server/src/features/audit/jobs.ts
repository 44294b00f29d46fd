import { job } from '../../platform/job.ts'
import { dailyVerificationJob, sendHeadJob, verifyJob } from './job-settings.ts'
import { sendHeads } from './send-heads.ts'
import { requestVerification, runVerification } from './service/verify.ts'

export const auditJobs = [
  job({ ...verifyJob, atStart: true, run: (ctx, _input, run) => runVerification(ctx, run) }),
  job({
    ...dailyVerificationJob,
    run: async (ctx) => {
      await requestVerification(ctx)
    },
  }),
  job({ ...sendHeadJob, atStart: true, run: (ctx, _input, run) => sendHeads(ctx, run) }),
]
