import { z } from 'zod'
import { job } from '../../platform/job.ts'
import { forgetOldNotifications } from './service.ts'

export const notificationJobs = [
  job({
    name: 'notifications.forget',
    input: z.object({}),
    schedule: '25 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldNotifications(ctx),
  }),
]
