import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idParams, instant } from './primitives.ts'

export const pushSubscription = z.object({
  id: z.string(),
  /** In words, such as "Firefox on Windows". */
  browser: z.string(),
  /** SHA-256 of its address in hex, by which a browser knows its own. */
  endpoint_hash: z.string(),
  created_at: instant,
  last_sent_at: instant.nullable(),
  last_error: z.string().nullable(),
})
export type PushSubscription = z.output<typeof pushSubscription>

export const getPush = endpoint({
  method: 'GET',
  path: '/push',
  permission: 'sites.read',
  summary: 'The browsers in which the caller gets notifications, and the key to subscribe another one with',
  response: z.object({ public_key: z.string(), subscriptions: z.array(pushSubscription) }),
  topics: ['alerts'],
  isPersonal: true,
})

export const subscribePush = endpoint({
  method: 'POST',
  path: '/push/subscriptions',
  permission: 'sites.read',
  summary: 'Get notifications in this browser too; again with the same address it is renewed',
  body: z.strictObject({
    /** Where its push service takes messages: a public https address. */
    endpoint: z.string().min(10).max(2000),
    keys: z.strictObject({ p256dh: z.string().min(80).max(120), auth: z.string().min(16).max(40) }),
  }),
  response: z.object({ subscription: pushSubscription }),
})

export const unsubscribePush = endpoint({
  method: 'DELETE',
  path: '/push/subscriptions/:id',
  permission: 'sites.read',
  summary: 'Get no more notifications in one of the own browsers',
  params: idParams,
  response: z.object({ deleted: z.literal(true) }),
})

export const testPush = endpoint({
  method: 'POST',
  path: '/push/subscriptions/:id/test',
  permission: 'sites.read',
  summary: 'Send a test to one of the own browsers now, and say what became of it',
  params: idParams,
  response: z.object({
    state: z.enum(['sent', 'gone', 'failed']),
    error: z.string().nullable(),
  }),
})
