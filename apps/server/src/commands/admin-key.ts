import { loadConfig } from '../config.ts'
import { asSystem } from '../context.ts'
import { createDatabase } from '../db/client.ts'
import { attachOrStart } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { makeAdminKey } from '../features/auth/index.ts'
import { createLogger } from '../platform/logger.ts'
import { createStops, startFailure } from '../platform/shutdown.ts'

// Makes a new admin key, in a console that runs or that is stopped.
const stops = createStops(() => undefined)

async function run(): Promise<string[]> {
  const config = loadConfig()
  const log = createLogger('silent')
  const { connectionString, stop } = await attachOrStart(config, 'npm run admin-key', log)
  stops.add('database', stop)
  await migrate(connectionString, { log })
  const database = createDatabase(connectionString, { max: 1, applicationName: 'agency-console admin-key', log })
  stops.add('connections', () => database.kysely.destroy())
  const key = await makeAdminKey(asSystem({ db: database.kysely, clock: Date.now }, 'job', 'npm run admin-key'))
  const warning = config.adminKey ? ['ADMIN_KEY is set in the environment and takes its place at the next start.'] : []
  return [
    `Admin key, shown only this once: ${key}`,
    'The key before it no longer works; whoever is signed in stays so.',
    ...warning,
  ]
}

try {
  process.stdout.write(`${(await run()).join('\n')}\n`)
} catch (error) {
  process.stderr.write(`No new admin key: ${startFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await stops.stopAll()
}
