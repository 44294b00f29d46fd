import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { alertSeverity } from './monitoring.ts'
import { count, idParams, instant, pageQuery } from './primitives.ts'

export const channelKinds = ['webhook', 'slack', 'mail'] as const
export const channelKind = z.enum(channelKinds)
export type ChannelKind = z.output<typeof channelKind>

export const channel = z.object({
  id: z.string(),
  kind: channelKind,
  name: z.string(),
  /** The host of its address, or the mail address: an address may hold a secret, so it is not shown again. */
  target: z.string(),
  /** Alerts below it are not sent. */
  min_severity: alertSeverity,
  is_enabled: z.boolean(),
  created_at: instant,
  last_sent_at: instant.nullable(),
  /** Since when deliveries fail; null: the last one arrived. */
  failing_since: instant.nullable(),
  last_error: z.string().nullable(),
  version: count,
})
export type Channel = z.output<typeof channel>

export const deliveryStates = ['queued', 'sent', 'failed'] as const

export const delivery = z.object({
  id: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  type: z.enum(['alert.opened', 'alert.resolved', 'test']),
  title: z.string(),
  alert_id: z.string().nullable(),
  state: z.enum(deliveryStates),
  attempts: count,
  /** Why the last try failed. */
  error: z.string().nullable(),
  created_at: instant,
  sent_at: instant.nullable(),
})
export type Delivery = z.output<typeof delivery>

const topics = ['alerts'] as const
const name = z.string().trim().min(1).max(80)
/** An https address, or a mail address for the kind `mail`. */
const target = z.string().trim().min(3).max(2000)

export const listChannels = endpoint({
  method: 'GET',
  path: '/channels',
  permission: 'admin.system',
  summary: 'Where alerts are sent to, beside the bell and the alert recipients',
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
  summary: 'Add a channel',
  body: z.strictObject({ kind: channelKind, name, target, min_severity: alertSeverity.default('warning') }),
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
    min_severity: alertSeverity.optional(),
    is_enabled: z.boolean().optional(),
  }),
  response: z.object({ channel }),
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/channels/:id',
  permission: 'admin.system',
  summary: 'Delete a channel; what waits for it is not sent any more',
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
