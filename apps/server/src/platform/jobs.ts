import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { fromKysely, type JobResult, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss'
import type { z } from 'zod'
import type { DB } from '../db/types.ts'
import { tellDueQueues } from './due-queues.ts'
import { findDueQueues, giveBack, joinWaiting } from './job-acts.ts'
import { prepareJobTable } from './job-table.ts'
import { createLane } from './lane.ts'
import type { Listener } from './listener.ts'
import type { Logger } from './logger.ts'
import { sessionLock } from './session-lock.ts'

export type JobSettings<Input extends z.ZodType = z.ZodType> = {
  /** `<domain>.<verb>` */
  name: string
  input: Input
  /** Cron, five fields, UTC. Runs with `{}` as its input. */
  schedule?: string
  /** Further tries after a failure; each waits longer, from `retryDelayS` up to `retryDelayMaxS`. */
  retries?: number
  retryDelayS?: number
  retryDelayMaxS?: number
  /** A run that takes longer counts as failed. */
  expireS?: number
  /** Runs of this queue at the same time in one process. */
  concurrency?: number
  /**
   * `key`: one waits per key and one runs per key. `alone`: one waits and one runs, over all processes; the one that
   * finds another one running waits for its end.
   */
  policy?: 'key' | 'alone'
  /** Its queue is never paused; of a job that moves money nothing is edited or deleted either. */
  guard?: JobGuard
}

export type JobGuard = 'money' | 'webhooks'

export type JobRun = {
  id: string
  /** 1 for the first try. */
  attempt: number
  isLastAttempt: boolean
  /** Aborted when the process stops or the run has expired. */
  signal: AbortSignal
}

export type EnqueueOptions = {
  /** With the policy `key`: what the job is about. */
  key?: string
  startAfter?: Date
}

export type QueueState = { name: string; waiting: number; running: number; failed: number }

export type Jobs = {
  /**
   * Within the transaction of `where`, if it is one. Null when an equal job waits already: that one then begins after the
   * end of this transaction, and no later than this one would have. A run that sees what was written here always follows.
   */
  enqueue<Input extends z.ZodType>(
    where: { db: Kysely<DB> },
    job: JobSettings<Input>,
    input: z.input<Input>,
    options?: EnqueueOptions,
  ): Promise<string | null>
  work<Input extends z.ZodType>(
    job: JobSettings<Input>,
    handle: (input: z.output<Input>, run: JobRun) => Promise<void>,
  ): Promise<void>
  findQueues(): Promise<QueueState[]>
  /** From now on this process begins no job of these queues, and of all others it does; what runs goes on to its end. */
  hold(queues: ReadonlySet<string>): Promise<void>
  /** When a schedule comes due next; null where it does not say so. */
  nextRun(cron: string, after: Date): Date | null
  /** Aborts running jobs, and gives back to their queues those that do not end by themselves. */
  stop(): Promise<void>
}

export type JobsOptions = {
  pool: Pool
  listener: Listener
  log: Logger
  /** How often it is looked for what is due; replaced in tests. */
  dueEveryMs?: number
}

/** They are told to stop; one that does not is given back to its queue, and done again. */
const stopTimeoutMs = 500
/** Queues are told of what is due; each asks on its own only for what might still be missed. */
const backstopS = 120
const workersPerQueue = 2
/** What runs in another process tells nobody of its end. */
const elsewhereS = 2

/** Each connection is a process of eight megabytes in the database: a second one is for when a statement takes so long. */
const longStatementMs = 100

/** Opens the queues (schema `jobs`) on the pool of the application. Nothing runs before `work`. */
export async function openJobs({ pool, listener, log, dueEveryMs = 1000 }: JobsOptions): Promise<Jobs> {
  const inTurn = createLane(longStatementMs)
  const boss = new PgBoss({
    schema: 'jobs',
    db: {
      executeSql: (text, values) => inTurn(() => pool.query(text, values as unknown[])),
      async listen(channel, heard, missed) {
        const stopListening = await listener.listen(channel, { heard, missed })
        const find = () => inTurn(() => findDueQueues(pool))
        const stopLooking = tellDueQueues({ find, tell: heard, everyMs: dueEveryMs, log })
        return {
          async close() {
            stopLooking()
            stopListening()
          },
        }
      },
    },
    useListenNotify: true,
    superviseIntervalSeconds: 20,
    monitorIntervalSeconds: 20,
    // A queue of a small console never grows an index that needs it.
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue warning'))
  await boss.start()
  await prepareJobTable(pool)
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const schedules = new Map<string, string | undefined>(
    (await boss.getSchedules()).map(({ name, cron }) => [name, cron]),
  )
  const ready = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const workers = new Map<string, () => Promise<unknown>>()
  const working = new Set<string>()
  let held: ReadonlySet<string> = new Set()

  function ensureQueue(job: JobSettings): Promise<void> {
    let queue = ready.get(job.name)
    if (!queue) {
      queue = keepQueue(boss, known, job.name, queueOptions(job))
      ready.set(job.name, queue)
    }
    return queue
  }

  /** Lets this process begin the jobs of a queue, or not. */
  async function turn(name: string, begin: () => Promise<unknown>): Promise<void> {
    if (held.has(name) !== working.has(name)) return
    if (held.has(name)) {
      working.delete(name)
      await boss.offWork(name, { wait: false })
    } else {
      working.add(name)
      await begin()
    }
  }

  return {
    async enqueue(where, job, input, options = {}) {
      await ensureQueue(job)
      const data = job.input.parse(input) as object
      const key = job.policy === 'key' ? options.key : undefined
      const { startAfter } = options
      for (;;) {
        const id = await boss.send(job.name, data, {
          db: fromKysely(where.db),
          ...(job.policy === 'key' && { singletonKey: key, group: { id: key ?? '' } }),
          ...(startAfter && { startAfter }),
        })
        if (id !== null || (await joinWaiting(where.db, job.name, { key, startAfter }))) return id
      }
    },
    async work(job, handle) {
      await ensureQueue(job)
      const concurrency = job.concurrency ?? 1
      const localConcurrency = Math.min(workersPerQueue, concurrency)
      const begin = () =>
        boss.work(
          job.name,
          {
            includeMetadata: true,
            perJobResults: true,
            batchSize: Math.ceil(concurrency / localConcurrency),
            localConcurrency,
            burstWhenBatchFull: true,
            pollingIntervalSeconds: 0.5,
            notifyPollingIntervalSeconds: backstopS,
            ...(job.policy === 'key' && { groupConcurrency: 1 }),
          },
          (batch: JobWithMetadata[]) =>
            Promise.all(batch.map((item) => runOne(job, item, handle, { pool, log, stopping: stopping.signal }))),
        )
      workers.set(job.name, begin)
      await turn(job.name, begin)
      if (job.schedule === schedules.get(job.name)) return
      if (job.schedule === undefined) await boss.unschedule(job.name)
      else await boss.schedule(job.name, job.schedule, {}, { tz: 'UTC' })
      schedules.set(job.name, job.schedule)
    },
    async findQueues() {
      const queues = await boss.getQueues()
      return queues.map(({ name, queuedCount, activeCount, failedCount }) => ({
        name,
        waiting: queuedCount,
        running: activeCount,
        failed: failedCount,
      }))
    },
    async hold(queues) {
      held = queues
      for (const [name, begin] of workers) await turn(name, begin)
    },
    nextRun: (cron, after) => boss.previewSchedule(cron, { tz: 'UTC', from: after, count: 1 })[0] ?? null,
    stop() {
      stopping.abort()
      return boss.stop({ graceful: true, timeout: stopTimeoutMs, close: false })
    },
  }
}

function queueOptions(job: JobSettings): Omit<Queue, 'name'> {
  return {
    policy: job.policy === undefined ? 'standard' : 'short',
    notify: true,
    retryLimit: job.retries ?? 3,
    retryDelay: job.retryDelayS ?? 2,
    retryBackoff: true,
    retryDelayMax: job.retryDelayMaxS ?? 300,
    expireInSeconds: job.expireS ?? 60,
    deleteAfterSeconds: 86_400,
  }
}

async function keepQueue(
  boss: PgBoss,
  known: ReadonlyMap<string, Queue>,
  name: string,
  options: Omit<Queue, 'name'>,
): Promise<void> {
  const existing = known.get(name)
  if (!existing) return boss.createQueue(name, options)
  if (existing.policy !== (options.policy ?? 'standard')) return replaceQueue(boss, name, options)
  const changed = Object.entries(options).some(([option, value]) => existing[option as keyof Queue] !== value)
  if (!changed) return
  const { policy: _, ...changeable } = options
  return boss.updateQueue(name, changeable)
}

/** The policy of a queue cannot be changed, so it is made anew with what waits in it. */
async function replaceQueue(boss: PgBoss, name: string, options: Omit<Queue, 'name'>): Promise<void> {
  const waiting = await boss.findJobs<object>(name, { queued: true })
  await boss.deleteQueue(name)
  await boss.createQueue(name, options)
  for (const { data, singletonKey, startAfter } of waiting) {
    await boss.send(name, data, { startAfter, ...(singletonKey !== null && { singletonKey }) })
  }
}

async function runOne<Input extends z.ZodType>(
  job: JobSettings<Input>,
  item: JobWithMetadata,
  handle: (input: z.output<Input>, run: JobRun) => Promise<void>,
  { pool, log, stopping }: { pool: Pool; log: Logger; stopping: AbortSignal },
): Promise<JobResult> {
  const attempt = item.retryCount + 1
  const isLastAttempt = item.retryCount >= item.retryLimit
  const started = performance.now()
  const signal = AbortSignal.any([item.signal, stopping])
  const release = job.policy === 'alone' ? await sessionLock(pool, `job ${job.name}`) : async () => {}
  if (!release) {
    log.info({ job: job.name, id: item.id }, 'job runs elsewhere')
    await giveBack(pool, item.id, elsewhereS)
    return { id: item.id, status: 'completed' }
  }
  try {
    await handle(job.input.parse(item.data), { id: item.id, attempt, isLastAttempt, signal })
    log.debug({ job: job.name, id: item.id, ms: Math.round(performance.now() - started) }, 'job done')
    return { id: item.id, status: 'completed' }
  } catch (error) {
    log[isLastAttempt ? 'error' : 'warn']({ err: error, job: job.name, id: item.id, attempt }, 'job failed')
    return { id: item.id, status: 'failed', output: error instanceof Error ? error : new Error(String(error)) }
  } finally {
    await release()
  }
}
