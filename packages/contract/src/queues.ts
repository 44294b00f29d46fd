import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, instant, pageQuery, searchText } from './primitives.ts'

/** `created` and `retry` are pending, `active` is processing. */
export const jobStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const
export const jobStatus = z.enum(jobStatuses)
export type JobStatus = z.output<typeof jobStatus>

export const touchedKinds = [
  ...(['customer', 'site', 'subscription', 'payment', 'invoice', 'refund', 'dispute', 'charge'] as const),
  ...(['mail', 'export', 'alert', 'delivery', 'report_schedule', 'money_action', 'object'] as const),
] as const
export const touchedThing = z.object({
  kind: z.enum(touchedKinds),
  id: z.string(),
  /** null where nothing is known of it any more. */
  name: z.string().nullable(),
  customer: z.object({ id: z.string(), name: z.string() }).nullable(),
})
export type TouchedThing = z.output<typeof touchedThing>

export const queueJob = z.object({
  id: z.string(),
  queue_name: z.string(),
  job_type: z.string(),
  status: jobStatus,
  created_at: instant,
  attempts: count,
  max_attempts: count,
  /** Of a pending job. */
  next_run_at: instant.nullable(),
  is_paused: z.boolean(),
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  /** Of the last attempt; of one that runs, until now. */
  duration_ms: count.nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  /** Failed jobs of one cause share it. */
  cause: z.string().nullable(),
  guard: z.enum(['money', 'webhooks']).nullable(),
  /** Why it cannot be done now; null where it can. */
  retry_denial: z.string().nullable(),
  edit_denial: z.string().nullable(),
  delete_denial: z.string().nullable(),
  touched: z.array(touchedThing),
})
export type QueueJob = z.output<typeof queueJob>

export const runStep = z.object({
  name: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'skipped', 'failed', 'cancelled']),
  attempts: count,
  note: z.string().nullable(),
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
})

/** Work in steps that outlives its process; jobs only go on with it. */
export const queueRun = z.object({
  id: z.string(),
  queue_name: z.string(),
  kind: z.string(),
  status: jobStatus,
  /** Tries in a row that did not get further. */
  tries: count,
  created_at: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  next_run_at: instant.nullable(),
  started_by: z.string(),
  steps: z.array(runStep),
  touched: z.array(touchedThing),
})
export type QueueRun = z.output<typeof queueRun>

export const queueJobDetails = queueJob.extend({
  data: z.record(z.string(), z.unknown()),
  /** The error with its place in the code. */
  error_detail: z.string().nullable(),
  key: z.string().nullable(),
  /** The newest run of what the job goes on with. */
  run: queueRun.nullable(),
})
export type QueueJobDetails = z.output<typeof queueJobDetails>

const cursor = z.uuid().optional()
const jobId = z.object({ id: z.uuid() })
const queueName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9_.-]+$/)
const cause = z.string().regex(/^[0-9a-f]{32}$/)

export const jobFilters = z.strictObject({
  search: searchText.optional(),
  status: jobStatus.optional(),
  queue: queueName.optional(),
  cause: cause.optional(),
})
export type JobFilters = z.output<typeof jobFilters>

export const listQueueJobs = endpoint({
  method: 'GET',
  path: '/admin/queues/jobs',
  permission: 'admin.system',
  summary: 'Background jobs, the newest first',
  query: z.strictObject({
    ...pageQuery(25),
    starting_after: cursor,
    ending_before: cursor,
    ...jobFilters.shape,
    sort: z.enum(['-created_at', 'created_at']).default('-created_at'),
  }),
  response: z.object({ jobs: z.array(queueJob), has_more: z.boolean() }),
  topics: ['queues'],
  isPersonal: true,
})

export const getQueueJob = endpoint({
  method: 'GET',
  path: '/admin/queues/jobs/:id',
  permission: 'admin.system',
  summary: 'One job with its data, its error and what it touched',
  params: jobId,
  response: z.object({ job: queueJobDetails }),
  topics: ['queues'],
  isPersonal: true,
})

export const retryQueueJob = endpoint({
  method: 'POST',
  path: '/admin/queues/jobs/:id/retry',
  permission: 'admin.system',
  summary: 'Run a failed, cancelled or postponed job now; one that is due already is left as it is',
  params: jobId,
  response: z.object({ job: queueJobDetails }),
})

export const editQueueJob = endpoint({
  method: 'POST',
  path: '/admin/queues/jobs/:id/edit',
  permission: 'admin.system',
  summary: 'Change the data of a job and run it now; refused for a job that moves money',
  params: jobId,
  body: z.strictObject({ data: z.record(z.string(), z.unknown()) }),
  response: z.object({ job: queueJobDetails }),
})

export const deleteQueueJob = endpoint({
  method: 'DELETE',
  path: '/admin/queues/jobs/:id',
  permission: 'admin.system',
  summary: 'Delete a job; refused for one that runs and for one that moves money',
  params: jobId,
  response: z.object({ success: z.literal(true) }),
  idempotent: true,
})

export const bulkActs = ['retry', 'delete'] as const
export const bulkAct = z.enum(bulkActs)

export const previewQueueAct = endpoint({
  method: 'GET',
  path: '/admin/queues/bulk/preview',
  permission: 'admin.system',
  summary: 'How many jobs the filters leave, and of how many the act would do what',
  query: jobFilters.extend({ act: bulkAct }),
  response: z.object({
    matching: count,
    affected: count,
    left_out: z.array(z.object({ reason: z.string(), jobs: count })),
    /** Jobs that are made later are not acted on. */
    until: instant,
  }),
})

export const actOnQueueJobs = endpoint({
  method: 'POST',
  path: '/admin/queues/bulk',
  permission: 'admin.system',
  summary: 'Retry or delete the next batch of the jobs that the filters leave, made until then',
  body: z.strictObject({
    act: bulkAct,
    filters: jobFilters,
    until: instant,
    batch_size: z.int().min(1).max(500).default(200),
  }),
  response: z.object({ done: count, has_more: z.boolean() }),
  idempotent: true,
})

export const queueSummary = z.object({
  id: z.string(),
  queue_name: z.string(),
  job_type: z.string(),
  waiting: count,
  running: count,
  failed: count,
  /** When that was counted; null: not yet. */
  counted_at: instant.nullable(),
  guard: z.enum(['money', 'webhooks']).nullable(),
  paused: z.object({ at: instant, by: z.string() }).nullable(),
  pause_denial: z.string().nullable(),
})
export type QueueSummary = z.output<typeof queueSummary>

export const listQueues = endpoint({
  method: 'GET',
  path: '/admin/queues',
  permission: 'admin.system',
  summary: 'All queues with what waits in them',
  response: z.object({ queues: z.array(queueSummary) }),
  topics: ['queues'],
  isPersonal: true,
})

const queueAnswer = z.object({ queue: queueSummary })
const queueParams = z.object({ name: queueName })

export const pauseQueue = endpoint({
  method: 'POST',
  path: '/admin/queues/:name/pause',
  permission: 'admin.system',
  summary: 'Start no job of a queue, in any process, until it is resumed; running jobs finish',
  params: queueParams,
  response: queueAnswer,
})

export const resumeQueue = endpoint({
  method: 'POST',
  path: '/admin/queues/:name/resume',
  permission: 'admin.system',
  summary: 'Begin the jobs of a paused queue again',
  params: queueParams,
  response: queueAnswer,
})

export const queueSchedule = z.object({
  id: z.string(),
  queue_name: z.string(),
  job_type: z.string(),
  /** Five fields, UTC. */
  cron: z.string(),
  next_run_at: instant.nullable(),
  paused: z.boolean(),
  last: z.object({ id: z.string(), status: jobStatus, created_at: instant, duration_ms: count.nullable() }).nullable(),
})
export type QueueSchedule = z.output<typeof queueSchedule>

export const listQueueSchedules = endpoint({
  method: 'GET',
  path: '/admin/queues/schedules',
  permission: 'admin.system',
  summary: 'Work that runs by the clock, the soonest first',
  response: z.object({ schedules: z.array(queueSchedule) }),
  topics: ['queues'],
  isPersonal: true,
})

export const queueCause = z.object({
  /** What the failed jobs share. */
  id: z.string(),
  queue_name: z.string(),
  job_type: z.string(),
  guard: z.enum(['money', 'webhooks']).nullable(),
  /** Of the newest one. */
  error: z.string(),
  jobs: count,
  /** There are more than were counted. */
  has_more_jobs: z.boolean(),
  first_failed_at: instant,
  last_failed_at: instant,
})
export type QueueCause = z.output<typeof queueCause>

export const listQueueCauses = endpoint({
  method: 'GET',
  path: '/admin/queues/causes',
  permission: 'admin.system',
  summary: 'Failed jobs grouped by their cause, the most recent first',
  response: z.object({ causes: z.array(queueCause), has_more: z.boolean() }),
  topics: ['queues'],
  isPersonal: true,
})

export const listQueueRuns = endpoint({
  method: 'GET',
  path: '/admin/queues/runs',
  permission: 'admin.system',
  summary: 'Work in steps, the newest first',
  query: z.strictObject({ ...pageQuery(25), status: jobStatus.optional() }),
  response: z.object({ runs: z.array(queueRun), has_more: z.boolean() }),
  topics: ['queues'],
  isPersonal: true,
})
