import { ConfigError, loadConfig } from './config.ts'
import type { AppContext } from './context.ts'
import { createHeadKeeper } from './features/audit/index.ts'
import { createCacheKeeper } from './features/caches/index.ts'
import { createDeploymentRunner } from './features/deployments/index.ts'
import { createSiteWatch, jobs } from './features/index.ts'
import { createDriftWatch } from './features/money-drift/index.ts'
import { createPauseKeeper } from './features/queues/index.ts'
import { createSettingsKeeper } from './features/settings/index.ts'
import { giveBackMemory } from './platform/give-back-memory.ts'
import { startJobs } from './platform/job.ts'
import { createGatheringLogger, type Logger } from './platform/logger.ts'
import { createStops, endOnFault, startFailure, stopOnSignals } from './platform/shutdown.ts'
import { openContext } from './start.ts'

// Jobs alone, beside consoles that share the database.
let log: Logger | undefined
const stops = createStops(() => log)

const demoReason = 'in demo mode the console runs the jobs and the sandbox itself'

/** The last key was taken out of the settings: jobs that found no provider here would be lost to the console. */
async function endInDemo({ config }: AppContext): Promise<void> {
  if (config.mode !== 'demo') return
  log?.warn({}, `the worker ends: ${demoReason}`)
  await stops.stopAll()
  process.exit(0)
}

async function start(): Promise<void> {
  const config = loadConfig()
  if (config.databaseUrl === undefined)
    throw new ConfigError('DATABASE_URL must be set: a worker shares the database of a console')
  const logger = createGatheringLogger(config.logLevel)
  log = logger.log
  // Added first, it is stopped last.
  stops.add('log', logger.flush)
  stopOnSignals(stops.stopAll)
  endOnFault(() => log, stops.stopAll)
  const { ctx, connected } = await openContext(config, log, stops, { playsSandbox: false })
  await connected
  if (ctx.config.mode === 'demo') throw new ConfigError(`STRIPE_SECRET_KEY must be set: ${demoReason}`)
  ctx.instance(createSettingsKeeper).whenReconnected(() => endInDemo(ctx))
  await stops.start('audit heads', ctx.instance(createHeadKeeper))
  await stops.start('paused queues', ctx.instance(createPauseKeeper))
  await startJobs(ctx, jobs)
  await stops.start('site checks', ctx.instance(createSiteWatch))
  await stops.start('money drift', ctx.instance(createDriftWatch))
  await stops.start('deployments', ctx.instance(createDeploymentRunner))
  stops.add('memory', giveBackMemory())
  const caches = ctx.instance(createCacheKeeper)
  caches.start('worker')
  stops.add('caches', caches.stop)
  log.info({ mode: ctx.config.mode }, 'the worker is ready')
}

try {
  await start()
} catch (error) {
  if (!stops.isStopping()) await endFailed(error)
}

async function endFailed(error: unknown): Promise<void> {
  process.stderr.write(`The worker could not start: ${startFailure(error)}\n`)
  await stops.stopAll()
  process.exit(1)
}
