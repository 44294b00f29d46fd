import { z } from 'zod'
import { CloudflareError } from '../../integrations/cloudflare/errors.ts'
import { type Job, job } from '../../platform/job.ts'
import { settleAbandoned } from './service/purge.ts'
import { readOldSettings } from './service/read-settings.ts'
import { refreshList } from './service/refresh.ts'

/** What Cloudflare refuses is written beside the list and tried again with the next round: no run fails for it. */
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
  }
}

export const settingsJob = job({
  name: 'domains.settings',
  input: z.object({}),
  policy: 'alone',
  expireS: 300,
  async run(ctx, _input, { signal }) {
    const { cloudflare } = ctx
    if (cloudflare) await unlessRefused(() => readOldSettings(ctx, cloudflare.in('bulk'), signal))
  },
})

export const refreshJob = job({
  name: 'domains.refresh',
  input: z.object({}),
  schedule: '*/10 * * * *',
  atStart: true,
  policy: 'alone',
  expireS: 300,
  async run(ctx) {
    await settleAbandoned(ctx)
    const { cloudflare } = ctx
    if (!cloudflare) return
    await unlessRefused(async () => {
      await refreshList(ctx, cloudflare.in('bulk'))
      await ctx.jobs.enqueue(ctx, settingsJob, {})
    })
  },
})

export const domainJobs: Job[] = [refreshJob, settingsJob]
