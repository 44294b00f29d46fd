import { z } from 'zod'
import type { JobSettings } from '../../platform/jobs.ts'

const settings = <Input extends z.ZodType>(job: JobSettings<Input>): JobSettings<Input> => job

/** One mail is sent by one process at a time. */
export const sendJob = settings({
  name: 'mail.send',
  input: z.object({ id: z.string() }),
  policy: 'key',
  retries: 6,
  retryDelayS: 10,
  retryDelayMaxS: 3600,
  expireS: 120,
  concurrency: 2,
})

export const tidyJob = settings({
  name: 'mail.tidy',
  input: z.object({}),
  schedule: '35 * * * *',
  policy: 'alone',
  retries: 1,
  expireS: 300,
})
