import { z } from 'zod'
import { type Job, job } from '../../platform/job.ts'
import { rollUp } from './service/roll-up.ts'

const expireS = 600

/** Hourly, so that a day is kept however long the console or Cloudflare was away. */
export const rollUpJob = job({
  name: 'domain-analytics.roll-up',
  input: z.object({}),
  schedule: '25 * * * *',
  atStart: true,
  policy: 'alone',
  expireS,
  run: (ctx) => rollUp(ctx, Date.now() + (expireS - 60) * 1000),
})

export const domainAnalyticsJobs: Job[] = [rollUpJob]
