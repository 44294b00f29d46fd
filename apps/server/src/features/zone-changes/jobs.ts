import { z } from 'zod'
import { type Job, job } from '../../platform/job.ts'
import { settleOpen } from './service/settle-open.ts'

const settleJob = job({
  name: 'dns-records.settle',
  input: z.object({}),
  schedule: '*/5 * * * *',
  atStart: true,
  policy: 'alone',
  expireS: 300,
  async run(ctx) {
    const { cloudflare } = ctx
    if (cloudflare) await settleOpen(ctx, cloudflare.in('bulk'))
  },
})

export const dnsRecordJobs: Job[] = [settleJob]
