import { z } from 'zod'

const longestS = 3600

export const makeJob = {
  ...{ name: 'exports.make', input: z.object({ id: z.string() }) },
  // One that failed is shown as failed; whoever made it tries again.
  ...{ retries: 0, concurrency: 2, expireS: longestS },
}

export const sweepJob = {
  ...{ name: 'exports.sweep', input: z.object({}), schedule: '* * * * *', policy: 'alone' as const },
  ...{ retries: 0, expireS: longestS, atStart: true },
}
