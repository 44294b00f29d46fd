import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, instant } from './primitives.ts'

export const notification = z.object({
  id: z.string(),
  type: z.string(),
  severity: z.enum(['info', 'warning', 'error', 'success']),
  title: z.string(),
  body: z.string().nullable(),
  /** A path of the console. */
  link: z.string().nullable(),
  created_at: instant,
  read: z.boolean(),
})
export type Notification = z.output<typeof notification>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  permission: 'any',
  summary: 'The newest notifications and how many are unread',
  response: z.object({ notifications: z.array(notification), unread_count: count }),
  topics: ['notifications'],
})

export const markNotificationsRead = endpoint({
  method: 'POST',
  path: '/notifications/read',
  permission: 'any',
  summary: 'Mark the given notifications read, or all of them',
  body: z.strictObject({ ids: z.array(z.string().max(64)).max(200).optional() }).nullish(),
  response: z.object({ unread_count: count }),
})
