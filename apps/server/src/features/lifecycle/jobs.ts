import { type Job, job } from '../../platform/job.ts'
import { paidSettings } from '../customer-states/index.ts'
import { runSettings, sweepSettings } from './job-settings.ts'
import { liftIfPaid } from './paid.ts'
import { advanceRun } from './run.ts'
import { sweep } from './sweep.ts'

export const lifecycleJobs: readonly Job[] = [
  job({ ...runSettings, run: (ctx, { run }, { signal }) => advanceRun(ctx, run, signal) }),
  job({ ...paidSettings, run: (ctx, { customer }) => liftIfPaid(ctx, customer) }),
  job({ ...sweepSettings, atStart: true, run: (ctx, _input, { signal }) => sweep(ctx, signal) }),
]
