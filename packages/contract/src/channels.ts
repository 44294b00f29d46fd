import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { alertSeverity } from './monitoring.ts'
import { count, idParams, instant, listOf, pageQuery } from './primitives.ts'

export const channelKinds = ['webhook', 'slack', 'mail', 'push'] as const
export const channelKind = z.enum(channelKinds)
export type ChannelKind = z.output<typeof channelKind>

export const channel = z.object({
  id: z.string(),
  kind: channelKind,
  name: z.string(),
  /** The host of its address, or the mail addresses: an address may hold a secret, so it is not shown again. */
  target: z.string(),
  is_enabled: z.boolean(),
  /** What other channels cannot deliver is sent here, whatever the routes say. One channel at most. */
  is_escalation: z.boolean(),
  /** Routes that lead to it and are switched on. */
  routes: count,
  created_at: instant,
  last_sent_at: instant.nullable(),
  /** Since when deliveries fail; null: the last one arrived. */
  failing_since: instant.nullable(),
  /** Since when it counts as dead: it failed too often. The next success ends that. */
  dead_since: instant.nullable(),
  last_error: z.string().nullable(),
  version: count,
})
export type Channel = z.output<typeof channel>

/** `held`: until quiet hours end; `digested`: sent with the digest of what was held. */
export const deliveryStates = ['queued', 'held', 'digested', 'sent', 'failed'] as const

export const delivery = z.object({
  id: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  type: z.enum(['alert.opened', 'alert.resolved', 'notice', 'digest', 'test']),
  title: z.string(),
  alert_id: z.string().nullable(),
  state: z.enum(deliveryStates),
  attempts: count,
  /** Why the last try failed, or who was not reached by it. */
  error: z.string().nullable(),
  held_until: instant.nullable(),
  created_at: instant,
  sent_at: instant.nullable(),
})
export type Delivery = z.output<typeof delivery>

const topics = ['alerts'] as const
const name = z.string().trim().min(1).max(80)
/** An https address; for the kind `mail` up to 20 mail addresses, separated by commas; nothing for `push`. */
const target = z.string().trim().min(3).max(6000)

export const listChannels = endpoint({
  method: 'GET',
  path: '/channels',
  permission: 'admin.system',
  summary: 'Where messages to administrators are sent to, beside the bell',
  response: z.object({ channels: z.array(channel) }),
  topics,
})

const withSecret = z.object({
  channel,
  /** What a webhook is signed with; shown only this once. */
  signing_secret: z.string().nullable(),
})

export const createChannel = endpoint({
  method: 'POST',
  path: '/channels',
  permission: 'admin.system',
  summary: 'Add a channel, with a route of its own from this severity on',
  body: z.strictObject({
    kind: channelKind,
    name,
    target: target.optional(),
    min_severity: alertSeverity.default('warning'),
  }),
  response: withSecret,
})

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/channels/:id',
  permission: 'admin.system',
  summary: 'Change a channel; a version that is not the newest is refused',
  params: idParams,
  body: z.strictObject({
    version: count,
    name: name.optional(),
    target: target.optional(),
    is_enabled: z.boolean().optional(),
    is_escalation: z.boolean().optional(),
  }),
  response: z.object({ channel }),
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/channels/:id',
  permission: 'admin.system',
  summary: 'Delete a channel with its routes; what waits for it is not sent any more',
  params: idParams,
  response: z.object({ deleted: z.literal(true) }),
})

export const testChannel = endpoint({
  method: 'POST',
  path: '/channels/:id/test',
  permission: 'admin.system',
  summary: 'Send a test now, and say what became of it',
  params: idParams,
  response: z.object({ delivery }),
})

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/channels/deliveries',
  permission: 'admin.system',
  summary: 'What was sent to channels, newest first',
  query: z.strictObject({
    ...pageQuery(25),
    channel: z.string().max(64).optional(),
    state: z.enum(['all', ...deliveryStates]).default('all'),
  }),
  response: z.object({ deliveries: z.array(delivery), has_more: z.boolean(), total: count }),
  topics,
})

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00')
const timeZone = z.string().min(1).max(64)

/** The time of day in between which messages are held; what is critical is sent at once even then. */
export const quietHours = z.strictObject({ from: time, until: time, time_zone: timeZone })
export type QuietHours = z.output<typeof quietHours>

const named = z.object({ id: z.string(), name: z.string() })

export const route = z.object({
  id: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  /** Messages below it take another way, or none. */
  min_severity: alertSeverity,
  /** Empty: of every customer, and what concerns none. */
  customers: z.array(named),
  /** Empty: whatever the customer pays for. */
  plans: z.array(named),
  quiet: quietHours.nullable(),
  is_enabled: z.boolean(),
  version: count,
})
export type Route = z.output<typeof route>

const ids = z.array(z.string().min(1).max(255)).max(50)

export const listRoutes = endpoint({
  method: 'GET',
  path: '/notification-routes',
  permission: 'admin.system',
  summary: 'Which messages are sent to which channel',
  response: z.object({ routes: z.array(route) }),
  topics: ['alerts', 'customers', 'plans'],
})

export const createRoute = endpoint({
  method: 'POST',
  path: '/notification-routes',
  permission: 'admin.system',
  summary: 'Add a route to a channel',
  body: z.strictObject({
    channel_id: z.string().min(1).max(64),
    min_severity: alertSeverity.default('warning'),
    customer_ids: ids.default([]),
    plan_ids: ids.default([]),
    quiet: quietHours.nullable().default(null),
  }),
  response: z.object({ route }),
})

export const updateRoute = endpoint({
  method: 'PATCH',
  path: '/notification-routes/:id',
  permission: 'admin.system',
  summary: 'Change a route; a version that is not the newest is refused',
  params: idParams,
  body: z.strictObject({
    version: count,
    min_severity: alertSeverity.optional(),
    customer_ids: ids.optional(),
    plan_ids: ids.optional(),
    quiet: quietHours.nullable().optional(),
    is_enabled: z.boolean().optional(),
  }),
  response: z.object({ route }),
})

export const deleteRoute = endpoint({
  method: 'DELETE',
  path: '/notification-routes/:id',
  permission: 'admin.system',
  summary: 'Delete a route; what it held is still sent',
  params: idParams,
  response: z.object({ deleted: z.literal(true) }),
})

export const routePreview = z.object({
  days: count,
  /** What would have been sent at once, and what would have been held. */
  at_once: count,
  held: count,
  /** In how many digests. */
  digests: count,
  /** The newest first, five at most. */
  examples: z.array(
    z.object({ title: z.string(), severity: alertSeverity, at: instant, held_until: instant.nullable() }),
  ),
})
export type RoutePreview = z.output<typeof routePreview>

export const previewRoute = endpoint({
  method: 'GET',
  path: '/notification-routes/preview',
  permission: 'admin.system',
  summary: 'What such a route would have sent in the last 7 days',
  query: z.strictObject({
    min_severity: alertSeverity,
    customer_ids: listOf(z.string().max(255)).optional(),
    plan_ids: listOf(z.string().max(255)).optional(),
    quiet_from: time.optional(),
    quiet_until: time.optional(),
    time_zone: timeZone.optional(),
  }),
  response: z.object({ preview: routePreview }),
})
