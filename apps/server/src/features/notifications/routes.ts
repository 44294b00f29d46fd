import * as notifications from '@agency/contract/notifications'
import { routesOf } from '../../platform/http/routes.ts'
import { listNotifications, markRead } from './service.ts'

export const notificationRoutes = routesOf(notifications, {
  listNotifications: ({ ctx }) => listNotifications(ctx),
  markNotificationsRead: ({ ctx, body }) => markRead(ctx, body?.ids),
})
