import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxThread } from '@agency/sandbox/thread'
import type { Config } from './config.ts'
import { type AppContext, createContext } from './context.ts'
import { createDatabase } from './db/client.ts'
import { openDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { watchStripe } from './features/mirror/index.ts'
import { createStripeGateway } from './integrations/stripe/client.ts'
import { listenForChanges } from './platform/changes.ts'
import { openJobs } from './platform/jobs.ts'
import type { Logger } from './platform/logger.ts'
import type { Stops } from './platform/shutdown.ts'

const connections = 10

/** Opens everything that the application stands on, and registers how each part is stopped. */
export async function openContext(config: Config, log: Logger, stops: Stops): Promise<AppContext> {
  const { connectionString, stop } = await openDatabase(config, log)
  stops.add('database', stop)
  const [stripe, platform] = await Promise.all([
    openStripe(config, connectionString, log, stops),
    openPlatform(connectionString, log, stops),
  ])
  const watch = { db: platform.database.kysely, clock: Date.now, log: log.child({ part: 'stripe' }) }
  return createContext({ config, log, stripe: stripe && watchStripe(stripe, watch), ...platform })
}

async function openPlatform(connectionString: string, log: Logger, stops: Stops) {
  await migrate(connectionString, { log })
  const database = createDatabase(connectionString, { max: connections, log })
  stops.add('connections', () => database.kysely.destroy())
  const [changes, jobs] = await Promise.all([
    listenForChanges(connectionString, log),
    openJobs({ pool: database.pool, connectionString, log: log.child({ part: 'jobs' }) }),
  ])
  stops.add('changes', changes.stop)
  stops.add('jobs', jobs.stop)
  return { database, changes, jobs }
}

/** The configured account, else the sandbox's, else none. */
async function openStripe({ stripe, mode, dataDir }: Config, databaseUrl: string, log: Logger, stops: Stops) {
  if (stripe.secretKey) return createStripeGateway({ secretKey: stripe.secretKey, apiBase: stripe.apiBase })
  if (mode !== 'demo') return null
  const sandbox = await openSandbox(databaseUrl)
  stops.add('sandbox', sandbox.stop)
  await tellWhereSandboxIs(dataDir, sandbox.stripe)
  log.info({ sandbox: sandbox.stripe.baseUrl }, 'the sandbox plays the provider')
  return createStripeGateway({ secretKey: sandbox.stripe.secretKey, apiBase: sandbox.stripe.baseUrl })
}

/** For whoever steers the sandbox from outside: only the owner of DATA_DIR may read its key. */
async function tellWhereSandboxIs(dataDir: string, { baseUrl, secretKey }: SandboxThread['stripe']): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, 'sandbox.json')
  await writeFile(file, `${JSON.stringify({ baseUrl, secretKey })}\n`, { mode: 0o600 })
}

async function openSandbox(databaseUrl: string): Promise<SandboxThread> {
  // The rest of the package stays in the thread: only what starts it is loaded here.
  const { startSandboxThread } = await import('@agency/sandbox/thread')
  return startSandboxThread({ databaseUrl })
}
