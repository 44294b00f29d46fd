import { ConfigError, loadConfig } from './config.ts'
import { jobs } from './features/index.ts'
import { startJobs } from './platform/job.ts'
import { createGatheringLogger, type Logger } from './platform/logger.ts'
import { createStops, startFailure, stopOnSignals } from './platform/shutdown.ts'
import { openContext } from './start.ts'

// Jobs alone, beside consoles that share the database.
let log: Logger | undefined
const stops = createStops(() => log)

async function start(): Promise<void> {
  const config = loadConfig()
  if (config.databaseUrl === undefined)
    throw new ConfigError('DATABASE_URL must be set: a worker shares the database of a console')
  if (config.mode === 'demo')
    throw new ConfigError(
      'STRIPE_SECRET_KEY must be set: in demo mode the console runs the jobs and the sandbox itself',
    )
  log = createGatheringLogger(config.logLevel)
  stopOnSignals(stops.stopAll)
  await startJobs(await openContext(config, log, stops), jobs)
  log.info({ mode: config.mode }, 'the worker is ready')
}

try {
  await start()
} catch (error) {
  process.stderr.write(`The worker could not start: ${startFailure(error)}\n`)
  await stops.stopAll()
  process.exit(1)
}
