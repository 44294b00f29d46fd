import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { createDatabase } from '../db/client.ts'
import { attachOrStart } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { backupNow, commandContext } from '../features/backups/index.ts'
import { holdSecretsKey } from '../features/settings/index.ts'
import { createLogger } from '../platform/logger.ts'
import { openSecretBox } from '../platform/secrets.ts'
import { createStops, startFailure, stopOnSignals } from '../platform/shutdown.ts'

// Makes a full backup of a console that runs or that is stopped: npm run backup -- --name "Before the update"
const stops = createStops(() => undefined)
const name = 'npm run backup'
const options = { name: { type: 'string', default: 'Made on the command line' } } as const

async function run(): Promise<string[]> {
  const { values } = parseArgs({ options })
  const title = values.name.trim()
  if (title === '' || title.length > 120) throw new Error('--name must have 1 to 120 characters')
  const config = loadConfig()
  const log = createLogger('silent')
  const stopping = new AbortController()
  stopOnSignals(async () => {
    stopping.abort()
    await stops.stopAll()
  })
  const { connectionString, stop } = await attachOrStart(config, name, log)
  stops.add('database', stop)
  await migrate(connectionString, { log })
  const database = createDatabase(connectionString, { max: 2, min: 0, applicationName: `agency-console ${name}`, log })
  stops.add('connections', () => database.kysely.destroy())
  await holdSecretsKey({ db: database.kysely }, await openSecretBox(config), new Date())
  const ctx = commandContext(config, database, name)
  const { path, bytes } = await backupNow(ctx, title, { signal: stopping.signal, progress() {} }, 'command')
  return [
    `${path} (${(bytes / 1024 / 1024).toFixed(1)} MB) was written and read back whole.`,
    'On another machine it needs SECRETS_KEY and the backup key, which are in the recovery kit.',
  ]
}

try {
  process.stdout.write(`${(await run()).join('\n')}\n`)
} catch (error) {
  process.stderr.write(`No backup was made: ${startFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await stops.stopAll()
}
