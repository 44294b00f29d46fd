import { z } from 'zod'
import type { JobSettings } from '../../platform/jobs.ts'

/** Of the runs that take a site offline, and bring it back. */
export const suspensionName = 'sites.suspension'

/** Ends what was set by hand for a while. */
export const sweepSettings = {
  name: 'sites.sweep',
  input: z.object({}),
  schedule: '* * * * *',
  policy: 'alone',
  retries: 0,
  expireS: 600,
} satisfies JobSettings
