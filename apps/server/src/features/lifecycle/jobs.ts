import { type Job, job } from '../../platform/job.ts'
import { paidSettings } from '../customer-states/index.ts'
import { sweepSettings } from './job-settings.ts'
import { liftIfPaid } from './paid.ts'
import { sweep } from './sweep.ts'

export const lifecycleJobs: readonly Job[] = [
  job({ ...paidSettings, run: (ctx, { customer }) => liftIfPaid(ctx, customer) }),
  job({ ...sweepSettings, atStart: true, run: sweep }),
]
