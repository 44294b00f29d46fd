import { z } from 'zod'

export const deliverJob = {
  name: 'channels.deliver',
  input: z.object({ id: z.string() }),
  policy: 'key' as const,
  retries: 6,
  retryDelayS: 10,
  retryDelayMaxS: 1800,
  expireS: 60,
  concurrency: 4,
}
