import { z } from 'zod'
import type { JobSettings } from '../../platform/jobs.ts'

/** Of the runs that suspend, delete and erase. */
export const runName = 'lifecycle.run'

/** Erases what is due, and looks once more who has paid. */
export const sweepSettings = {
  name: 'lifecycle.sweep',
  input: z.object({}),
  schedule: '* * * * *',
  policy: 'alone',
  retries: 0,
  expireS: 600,
} satisfies JobSettings
