import type { RequestContext } from '../../context.ts'
import { type Job, job } from '../../platform/job.ts'
import { keepDemo } from './demo-sites.ts'
import { suspensionSettings, sweepSettings } from './job-settings.ts'
import { expireStatuses } from './service/set-status.ts'
import { advanceSuspension, sweepSuspensions } from './suspension/advance.ts'

async function sweep(ctx: RequestContext, signal: AbortSignal): Promise<void> {
  await expireStatuses(ctx)
  await keepDemo(ctx)
  await sweepSuspensions(ctx, signal)
}

export const siteJobs: readonly Job[] = [
  job({ ...suspensionSettings, run: (ctx, { site }, { signal }) => advanceSuspension(ctx, site, signal) }),
  job({ ...sweepSettings, atStart: true, run: (ctx, _input, { signal }) => sweep(ctx, signal) }),
]
