import { z } from 'zod'
import type { JobSettings } from '../../platform/jobs.ts'

const settings = <Input extends z.ZodType>(job: JobSettings<Input>): JobSettings<Input> => job

/** Goes on with the verification that is open. The schedule is for one whose process died. */
export const verifyJob = settings({
  name: 'audit.verify',
  input: z.object({}),
  schedule: '*/5 * * * *',
  policy: 'alone',
  retries: 5,
  retryDelayS: 5,
  retryDelayMaxS: 60,
  expireS: 6 * 3600,
})

export const dailyVerificationJob = settings({
  name: 'audit.verify-daily',
  input: z.object({}),
  schedule: '50 3 * * *',
  policy: 'alone',
  retries: 2,
  expireS: 60,
})

/** One head a day leaves the machine. */
export const sendHeadJob = settings({
  name: 'audit.send-head',
  input: z.object({}),
  schedule: '20 5 * * *',
  policy: 'alone',
  retries: 5,
  retryDelayS: 60,
  retryDelayMaxS: 3600,
  expireS: 120,
})
