import { z } from 'zod'

/** Finds out what became of money actions whose answer was lost. */
export const resolveSettings = {
  name: 'billing.resolve-actions',
  input: z.object({}),
  schedule: '* * * * *',
  timely: true,
  policy: 'alone' as const,
  // The next minute tries again anyway.
  retries: 0,
  expireS: 120,
}
