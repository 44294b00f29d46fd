import type { Config } from './config.ts'
import { createConnection } from './connect.ts'
import { type AppContext, createContext } from './context.ts'
import { createDatabase } from './db/client.ts'
import { openDatabase } from './db/connect.ts'
import { jobLimits, requestLimits } from './db/limits.ts'
import { migrate } from './db/migrate.ts'
import { createSettingsKeeper, effectiveConfig, holdSecretsKey, readStored } from './features/settings/index.ts'
import { listenForChanges } from './platform/changes.ts'
import { openJobs } from './platform/jobs.ts'
import { openListener } from './platform/listener.ts'
import type { Logger } from './platform/logger.ts'
import { openSecretBox } from './platform/secrets.ts'
import type { Stops } from './platform/shutdown.ts'
import type { Tracer } from './platform/tracing.ts'

const connections = 10
const jobConnections = 6
/** Queues are asked one after the other; the second is opened where a statement takes long. */
const queueConnections = 2

export type StartOptions = {
  /** Without any provider this process plays one itself. */
  playsSandbox: boolean
}

/**
 * Opens everything that the application stands on, and registers how each part is stopped. The providers are in the context
 * once `connected`: a sandbox takes longer to come up than all the rest, and what does not need it can be done meanwhile.
 */
export async function openContext(
  environment: Config,
  log: Logger,
  stops: Stops,
  { playsSandbox }: StartOptions,
): Promise<{ ctx: AppContext; connected: Promise<void> }> {
  const connectionString = await openStoppable(environment, log, stops)
  await migrate(connectionString, { log })
  const database = createDatabase(connectionString, { max: connections, log, limits: requestLimits })
  stops.add('connections', () => database.kysely.destroy())
  const jobDatabase = createDatabase(connectionString, {
    max: jobConnections,
    // What each full minute opens is not used again before the next, and what did the work of all jobs holds three times what
    // looking for work needs.
    idleMs: 5000,
    maxLifetimeSeconds: 20,
    applicationName: 'agency-console jobs',
    log,
    limits: jobLimits,
  })
  stops.add('connections of jobs', () => jobDatabase.kysely.destroy())
  await holdSecretsKey({ db: database.kysely }, await openSecretBox(environment), new Date())
  const { values } = await readStored({ db: database.kysely, config: environment })
  const config = effectiveConfig(environment, values)
  const connection = createConnection({
    databaseUrl: connectionString,
    watch: { db: database.kysely, pool: database.pool, clock: Date.now, log: log.child({ part: 'providers' }) },
    playsSandbox,
  })
  stops.add('sandbox', connection.close)
  const providers = connection.open(config)
  providers.catch(() => undefined)
  const platform = await openPlatform(connectionString, log, stops)
  const tracer = await openTraces(environment, stops)
  const ctx = createContext({
    ...{ live: { config }, environment, database, jobDatabase, log, tracer },
    ...platform,
  })
  const connected = providers.then((opened) => {
    ctx.replace(opened)
    stops.add('settings', ctx.instance(createSettingsKeeper).follow(connection.reopen))
  })
  connected.catch(() => undefined)
  return { ctx, connected }
}

/** Asked to stop while it is being opened, it is ended as well: nothing of an embedded one may be left running. */
async function openStoppable(environment: Config, log: Logger, stops: Stops): Promise<string> {
  const stopping = new AbortController()
  const opening = openDatabase(environment, log, { signal: stopping.signal })
  const stop = async (leftMs: number) => {
    stopping.abort()
    const opened = await opening.catch(() => undefined)
    await opened?.stop(leftMs)
  }
  // It ends its sessions itself. Nobody waits for an external one that does not answer.
  stops.add('database', stop, environment.databaseUrl === undefined ? Number.POSITIVE_INFINITY : undefined)
  return (await opening).connectionString
}

async function openTraces({ otlpEndpoint, version }: Config, stops: Stops): Promise<Tracer | null> {
  if (otlpEndpoint === undefined) return null
  const { openTracer } = await import('./platform/otlp.ts')
  const tracer = await openTracer(otlpEndpoint, version)
  stops.add('traces', tracer.stop)
  return tracer
}

async function openPlatform(connectionString: string, log: Logger, stops: Stops) {
  const { kysely, pool } = createDatabase(connectionString, {
    max: queueConnections,
    applicationName: 'agency-console queues',
    log,
    limits: jobLimits,
  })
  stops.add('connections of queues', () => kysely.destroy())
  const listener = await openListener(connectionString, log)
  stops.add('listener', listener.stop)
  const [changes, jobs] = await Promise.all([
    listenForChanges(listener),
    openJobs({ pool, listener, log: log.child({ part: 'jobs' }) }),
  ])
  stops.add('changes', changes.stop)
  stops.add('jobs', jobs.stop)
  return { changes, jobs }
}
