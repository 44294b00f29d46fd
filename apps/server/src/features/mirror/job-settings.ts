import { z } from 'zod'
import { objectKinds } from '../../integrations/stripe/gateway.ts'
import type { JobSettings } from '../../platform/jobs.ts'

const settings = <Input extends z.ZodType>(job: JobSettings<Input>): JobSettings<Input> => job
const nothing = z.object({})

/** One object at a time each; its events only say that it changed. */
export const applyJob = settings({
  name: 'mirror.apply',
  input: z.object({ kind: z.enum(objectKinds), id: z.string().min(1) }),
  policy: 'key',
  guard: 'webhooks',
  concurrency: 6,
  retries: 6,
  retryDelayS: 2,
  retryDelayMaxS: 60,
  expireS: 60,
})

/** Lets the provider deliver to an address of this console. */
export const connectJob = settings({
  name: 'mirror.connect',
  input: z.object({ address: z.string() }),
  policy: 'alone',
  retries: 100,
  retryDelayS: 5,
  retryDelayMaxS: 300,
  expireS: 120,
})

export const importJob = settings({
  name: 'mirror.import',
  input: nothing,
  policy: 'alone',
  // It goes on from its cursors until it is done or cancelled.
  retries: 1000,
  retryDelayS: 5,
  retryDelayMaxS: 300,
  expireS: 12 * 3600,
})

export const reconcileJob = settings({
  name: 'mirror.reconcile',
  input: nothing,
  schedule: '*/10 * * * *',
  policy: 'alone',
  retries: 2,
  retryDelayS: 30,
  expireS: 3600,
})

export const walkJob = settings({
  name: 'mirror.walk',
  input: nothing,
  schedule: '40 2 * * *',
  policy: 'alone',
  retries: 3,
  retryDelayS: 300,
  expireS: 6 * 3600,
})

/** Notices that the provider is out or back, and takes the place of deliveries where there are none. */
export const checkJob = settings({
  name: 'mirror.check',
  input: nothing,
  schedule: '* * * * *',
  policy: 'alone',
  retries: 0,
  expireS: 300,
})

export const recomputeJob = settings({
  name: 'mirror.recompute-mrr',
  input: nothing,
  schedule: '*/5 * * * *',
  policy: 'alone',
  retries: 0,
  expireS: 300,
})

export const tidyJob = settings({
  name: 'mirror.tidy',
  input: nothing,
  schedule: '20 4 * * *',
  policy: 'alone',
  retries: 1,
  expireS: 900,
})
