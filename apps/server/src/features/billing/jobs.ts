import { job } from '../../platform/job.ts'
import { resolveActions } from './money-actions/resolve.ts'
import { resolveSettings } from './money-actions/resolve-settings.ts'

export const billingJobs = [
  job({ ...resolveSettings, atStart: true, run: (ctx, _input, run) => resolveActions(ctx, run) }),
]
