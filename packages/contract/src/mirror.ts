import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, mirroredAsOf } from './primitives.ts'

export const importStep = z.object({
  object: z.string(),
  state: z.enum(['waiting', 'running', 'done']),
  objects: count,
  pages: count,
})

export const importProgress = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  started_at: instant,
  finished_at: instant.nullable(),
  objects: count,
  pages: count,
  objects_per_second: z.number().nullable(),
  /** Estimated from the steps that are left; null while nothing is known. */
  remaining_seconds: z.number().nullable(),
  steps: z.array(importStep),
  error: z.string().nullable(),
})
export type ImportProgress = z.output<typeof importProgress>

export const mirrorState = z.object({
  /** The provider's answers as they were last: what is wrong, in words, or null. */
  problem: z.string().nullable(),
  problem_since: instant.nullable(),
  first_import: importProgress.nullable(),
  as_of: mirroredAsOf,
  last_event_at: instant.nullable(),
  /** Seconds between an event's creation and its application: the 95th percentile of the last hour. */
  lag_p95_s: z.number().nullable(),
  pending_events: count,
  dead_events: count,
  last_reconcile_at: instant.nullable(),
  last_walk_at: instant.nullable(),
  last_drift: z.object({ id: z.string(), differed: count, repaired: count, finished_at: instant }).nullable(),
  webhook: z.object({ configured: z.boolean(), last_received_at: instant.nullable() }),
})
export type MirrorState = z.output<typeof mirrorState>

export const driftReport = z.object({
  id: z.string(),
  kind: z.enum(['events', 'walk']),
  state: z.enum(['running', 'done', 'failed']),
  started_at: instant,
  finished_at: instant.nullable(),
  checked: count,
  differed: count,
  repaired: count,
  error: z.string().nullable(),
})

export const deadEvent = z.object({
  id: z.string(),
  type: z.string(),
  object_id: z.string().nullable(),
  created_at: instant,
  received_at: instant,
  attempts: count,
  error: z.string().nullable(),
})

export const getMirror = endpoint({
  method: 'GET',
  path: '/mirror',
  permission: 'billing.read',
  summary: 'How true the copy of Stripe is: import, lag, last reconcile, problems',
  response: mirrorState,
  topics: ['mirror'],
})

export const startReconcile = endpoint({
  method: 'POST',
  path: '/mirror/reconcile',
  permission: 'admin.system',
  summary: 'Compare with Stripe now and repair what differs',
  body: z.strictObject({ kind: z.enum(['events', 'walk']).default('events') }).nullish(),
  response: z.object({ queued: z.literal(true) }),
})

export const startImport = endpoint({
  method: 'POST',
  path: '/mirror/import',
  permission: 'admin.system',
  summary: 'Import everything again; a running import continues',
  body: z.strictObject({}).nullish(),
  response: z.object({ queued: z.literal(true) }),
})

export const cancelImport = endpoint({
  method: 'POST',
  path: '/mirror/import/cancel',
  permission: 'admin.system',
  summary: 'Stop the running import; what it wrote stays',
  body: z.strictObject({}).nullish(),
  response: z.object({ success: z.literal(true) }),
})

export const listDriftReports = endpoint({
  method: 'GET',
  path: '/mirror/drift',
  permission: 'billing.read',
  summary: 'The newest reconcile runs',
  response: z.object({ reports: z.array(driftReport) }),
  topics: ['mirror'],
})

export const getDriftReport = endpoint({
  method: 'GET',
  path: '/mirror/drift/:id',
  permission: 'billing.read',
  summary: 'What differed in one reconcile run',
  params: idParams,
  response: z.object({
    report: driftReport,
    rows: z.array(
      z.object({ object: z.string(), object_id: z.string(), difference: z.string(), repaired: z.boolean() }),
    ),
  }),
  topics: ['mirror'],
})

export const listDeadEvents = endpoint({
  method: 'GET',
  path: '/mirror/dead-events',
  permission: 'billing.read',
  summary: 'Events that could not be applied',
  response: z.object({ events: z.array(deadEvent) }),
  topics: ['mirror'],
})

export const replayDeadEvent = endpoint({
  method: 'POST',
  path: '/mirror/dead-events/:id/replay',
  permission: 'admin.system',
  summary: 'Apply a failed event again',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: z.object({ queued: z.literal(true) }),
})
