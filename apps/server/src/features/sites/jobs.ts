import type { RequestContext } from '../../context.ts'
import { type Job, job } from '../../platform/job.ts'
import { keepDemo } from './demo-sites.ts'
import { sweepSettings } from './job-settings.ts'
import { expireStatuses } from './service/set-status.ts'

async function sweep(ctx: RequestContext): Promise<void> {
  await expireStatuses(ctx)
  await keepDemo(ctx)
}

export const siteJobs: readonly Job[] = [job({ ...sweepSettings, atStart: true, run: sweep })]
