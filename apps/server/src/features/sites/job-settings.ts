import { z } from 'zod'
import type { JobSettings } from '../../platform/jobs.ts'

const settings = <Input extends z.ZodType>(job: JobSettings<Input>): JobSettings<Input> => job

/** Goes on with taking one site offline, or with bringing it back. */
export const suspensionSettings = settings({
  name: 'sites.suspension',
  input: z.object({ site: z.string() }),
  policy: 'key',
  // The suspension keeps its own tries, and the sweep finds what is left.
  retries: 0,
  expireS: 600,
  concurrency: 3,
})

/** Takes up what an ended process left, and ends what was set by hand for a while. */
export const sweepSettings = settings({
  name: 'sites.sweep',
  input: z.object({}),
  schedule: '* * * * *',
  policy: 'alone',
  retries: 0,
  expireS: 600,
})
