import { z } from 'zod'
import type { JobSettings } from '../../platform/jobs.ts'

const settings = <Input extends z.ZodType>(job: JobSettings<Input>): JobSettings<Input> => job

/** Goes on with one run as far as it gets; what has to wait is enqueued again for then. */
export const runSettings = settings({
  name: 'lifecycle.run',
  input: z.object({ run: z.string() }),
  policy: 'key',
  // The run keeps its own tries, and the sweep finds what is left.
  retries: 0,
  expireS: 600,
  concurrency: 3,
})

/** Takes up what an ended process left, erases what is due, and looks once more who has paid. */
export const sweepSettings = settings({
  name: 'lifecycle.sweep',
  input: z.object({}),
  schedule: '* * * * *',
  policy: 'alone',
  retries: 0,
  expireS: 600,
})
