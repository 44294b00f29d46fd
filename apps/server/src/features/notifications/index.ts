import * as notifications from '@agency/contract/notifications'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { forgetOldNotifications, listNotifications, markRead } from './service.ts'

export {
  notifyDeadEvent,
  notifyDisputeOpened,
  notifyDrift,
  notifyFall,
  notifyImportFailed,
  notifyImportFinished,
  notifyLockOut,
  notifyOtherMode,
  notifyPaymentFailed,
  notifyRefundFailed,
  notifyUnreadable,
} from './causes.ts'
export { noticeRules } from './notice-rules.ts'
export { type NewNotification, notify, notifyOfAlert, notifyPerson } from './notify.ts'
export { insertReadOf as markReadBy } from './queries.ts'
export { forgetLinked } from './service.ts'

export const notificationRoutes = routesOf(notifications, {
  listNotifications: ({ ctx }) => listNotifications(ctx),
  markNotificationsRead: ({ ctx, body }) => markRead(ctx, body?.ids),
})

export const notificationJobs = [
  job({
    name: 'notifications.forget',
    input: z.object({}),
    schedule: '25 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldNotifications(ctx),
  }),
]
