import { loadConfig } from '../config.ts'
import { createDatabase } from '../db/client.ts'
import { attachOrStart } from '../db/connect.ts'
import { rolesScript } from '../features/sql-console/index.ts'
import { createLogger } from '../platform/logger.ts'
import { findSecretBox } from '../platform/secrets.ts'
import { createStops, startFailure } from '../platform/shutdown.ts'

// Prints what makes the roles of the SQL console, for a database where the console may not: npm run sql-roles
const stops = createStops(() => undefined)
const name = 'npm run sql-roles'

async function run(): Promise<void> {
  const config = loadConfig()
  const box = await findSecretBox(config)
  if (!box) throw new Error('there is no SECRETS_KEY yet: set it, or start the console once')
  const log = createLogger('silent')
  const { connectionString, stop } = await attachOrStart(config, name, log)
  stops.add('database', stop)
  const { kysely, pool } = createDatabase(connectionString, { max: 1, applicationName: `agency-console ${name}`, log })
  stops.add('connections', () => kysely.destroy())
  process.stdout.write(await rolesScript(pool, box))
}

try {
  await run()
} catch (error) {
  process.stderr.write(`Nothing was printed: ${startFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await stops.stopAll()
}
