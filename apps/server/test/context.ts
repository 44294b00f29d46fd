import { loadConfig } from '../src/config.ts'
import { type AppContext, asSystem, createContext } from '../src/context.ts'
import { createDatabase } from '../src/db/client.ts'
import { jobs as allJobs } from '../src/features/index.ts'
import { listenForChanges } from '../src/platform/changes.ts'
import type { Job } from '../src/platform/job.ts'
import { type Jobs, openJobs } from '../src/platform/jobs.ts'
import { openListener } from '../src/platform/listener.ts'
import { createLogger } from '../src/platform/logger.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export type TestClock = { now: () => number; set(time: string | number): void; advance(ms: number): void }

export type TestContextOptions = {
  /** The environment to configure it with. */
  env?: Record<string, string>
  stripe?: AppContext['stripe']
  cloudflare?: AppContext['cloudflare']
  /** `collected` (the default): kept until `runJobs`. `real`: a queue in the database; nothing runs before `startJobs`. */
  jobs?: 'collected' | 'real'
  /** Another process on the database of an earlier context. */
  database?: TestDatabase
  clock?: TestClock
  /** Where the clock starts. By default it is the machine's own and can still be advanced. */
  now?: string
}

export type TestContext = {
  ctx: AppContext
  clock: TestClock
  database: TestDatabase
  /** What was enqueued and not run yet. */
  enqueued: { name: string; input: unknown }[]
  /** Runs the collected jobs, and those that they enqueue, until none is left. */
  runJobs(): Promise<void>
  /** As a process that has ended: from here on nothing tells that it is there. */
  hearNoMore(): Promise<void>
  close(): Promise<void>
}

/** A running clock never says the same twice: what a fast machine writes in one millisecond would have no order. */
export function createTestClock(start?: string): TestClock {
  let last = 0
  let offset = start === undefined ? 0 : Date.parse(start) - Date.now()
  let fixed = start === undefined ? undefined : Date.parse(start)
  return {
    now() {
      if (fixed !== undefined) return fixed
      last = Math.max(last + 1, Date.now())
      return last + offset
    },
    set(time) {
      fixed = typeof time === 'number' ? time : Date.parse(time)
    },
    advance(ms) {
      if (fixed === undefined) offset += ms
      else fixed += ms
    },
  }
}

/** A whole application context on a database of its own. */
export async function createTestContext(options: TestContextOptions = {}): Promise<TestContext> {
  const database = options.database ?? (await createTestDatabase())
  const { connectionString } = database
  const clock = options.clock ?? createTestClock(options.now)
  const log = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent')
  const client = createDatabase(connectionString, { max: 10, applicationName: 'test', log })
  const listener = await openListener(connectionString, log)
  const changes = await listenForChanges(listener)
  const enqueued: { name: string; input: unknown }[] = []
  const jobs = options.jobs === 'real' ? await openJobs({ pool: client.pool, listener, log }) : collectJobs(enqueued)
  const config = loadConfig(options.env ?? {}, false)
  const ctx = createContext({
    live: { config, stripe: options.stripe ?? null, cloudflare: options.cloudflare ?? null },
    database: client,
    log,
    jobs,
    changes,
    clock: clock.now,
  })
  const hearNoMore = async () => {
    await changes.stop()
    await listener.stop()
  }

  return {
    ctx,
    clock,
    database,
    enqueued,
    hearNoMore,
    runJobs: () => runCollected(ctx, enqueued),
    async close() {
      await jobs.stop()
      await hearNoMore()
      await client.kysely.destroy()
      if (!options.database) await database.drop()
    },
  }
}

function collectJobs(enqueued: { name: string; input: unknown }[]): Jobs {
  return {
    enqueue: async (_where, job, input) => {
      enqueued.push({ name: job.name, input: job.input.parse(input) })
      return `${job.name}-${enqueued.length}`
    },
    work: async () => {},
    findQueues: async () => [],
    hold: async () => {},
    nextRun: () => null,
    stop: async () => {},
  }
}

async function runCollected(ctx: AppContext, enqueued: { name: string; input: unknown }[]): Promise<void> {
  for (let next = enqueued.shift(); next; next = enqueued.shift()) await runJob(ctx, next.name, next.input)
}

/** Runs one job as the queue would, on its last attempt. */
export async function runJob(
  ctx: AppContext,
  name: string,
  input: unknown = {},
  { isLastAttempt = true }: { isLastAttempt?: boolean } = {},
): Promise<void> {
  const job = (allJobs as readonly Job[]).find((known) => known.name === name)
  if (!job) throw new Error(`There is no job ${name}`)
  const run = { id: name, attempt: 1, isLastAttempt, signal: new AbortController().signal }
  await job.run(asSystem(ctx, 'job', name), job.input.parse(input), run)
}
