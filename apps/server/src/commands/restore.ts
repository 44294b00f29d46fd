import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { type Config, loadConfig, rules } from '../config.ts'
import { createDatabase, type Database } from '../db/client.ts'
import { openDatabase } from '../db/connect.ts'
import { findMigrationStatus, migrate } from '../db/migrate.ts'
import {
  backupNow,
  type CommandContext,
  commandContext,
  keyKnownHere,
  keyOfText,
  restoreFile,
} from '../features/backups/index.ts'
import { countConsoles, isKeyOfDatabase } from '../features/settings/index.ts'
import { createLogger } from '../platform/logger.ts'
import { findSecretBox, openSecretBox, secretsKeyFile } from '../platform/secrets.ts'
import { createStops, startFailure, stopOnSignals } from '../platform/shutdown.ts'

// Puts a backup in place while no console runs, also on a machine that has none yet: npm run restore -- FILE
const stops = createStops(() => undefined)
const name = 'npm run restore'
const options = {
  /** Replaces data without asking for the word. */
  yes: { type: 'boolean', default: false },
} as const

const input = createInterface({ input: process.stdin, terminal: false })
const lines = input[Symbol.asyncIterator]()

async function ask(question: string): Promise<string> {
  process.stderr.write(`${question} `)
  const { value, done } = await lines.next()
  if (done) throw new Error(`nothing was answered to: ${question}`)
  return String(value).trim()
}

/** On a fresh machine it is asked for once, and kept where the console looks for it. */
async function ensureSecretsKey(config: Config): Promise<void> {
  if (await findSecretBox(config)) return
  const key = rules.SECRETS_KEY.safeParse(await ask('SECRETS_KEY (from the recovery kit):'))
  if (!key.success) throw new Error('SECRETS_KEY must be at least 32 characters')
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 })
  await writeFile(secretsKeyFile(config.dataDir), `${key.data}\n`, { mode: 0o600, flag: 'wx' })
}

async function keyOf(ctx: CommandContext, path: string, isFresh: boolean): Promise<Buffer> {
  const known = isFresh ? null : await keyKnownHere(ctx, path)
  const key = known ?? keyOfText(await ask('Backup key (from the recovery kit):'))
  if (!key) throw new Error('This is no backup key: it has 43 letters, digits, - and _')
  return key
}

const progress = (): { signal: AbortSignal; progress(done: number, total: number | null, text?: string): void } => {
  const stopping = new AbortController()
  stopOnSignals(async () => {
    stopping.abort()
    await stops.stopAll()
  })
  let told = ''
  return {
    signal: stopping.signal,
    progress(_done, _total, text = '') {
      if (text === told) return
      told = text
      process.stderr.write(`${text} …\n`)
    },
  }
}

/** What is there is migrated, so that both sides have the same form; on a fresh machine there is nothing. */
async function prepare(connectionString: string, database: Database, config: Config): Promise<boolean> {
  const { applied } = await findMigrationStatus(connectionString)
  if (applied.length === 0) return true
  if ((await countConsoles(database.kysely)) > 0)
    throw new Error('a console or worker is running: stop all of them first, or restore under Admin Tools, Backup')
  await migrate(connectionString)
  if ((await isKeyOfDatabase({ db: database.kysely }, await openSecretBox(config))) === false)
    throw new Error('SECRETS_KEY is not the key of the database that is here')
  return false
}

async function run(): Promise<string[]> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [given] = positionals
  if (given === undefined || positionals.length > 1) throw new Error('name the file: npm run restore -- FILE')
  const path = resolve(given)
  if (!existsSync(path)) throw new Error(`there is no ${path}`)
  const config = loadConfig()
  const log = createLogger('silent')
  await ensureSecretsKey(config)
  const { connectionString, stop } = await openDatabase(config, log, { patienceMs: 0 })
  stops.add('database', stop, Number.POSITIVE_INFINITY)
  const database = createDatabase(connectionString, { max: 2, min: 0, applicationName: `agency-console ${name}`, log })
  stops.add('connections', () => database.kysely.destroy())
  const isFresh = await prepare(connectionString, database, config)
  const ctx = commandContext(config, database, name)
  const key = await keyOf(ctx, path, isFresh)
  if (!isFresh && !values.yes) {
    process.stderr.write('The data that is here will be replaced; what changed since the backup may be lost.\n')
    if ((await ask('Type RESTORE to continue:')) !== 'RESTORE') throw new Error('it was not confirmed')
  }
  const work = progress()
  const safety = isFresh ? null : await backupNow(ctx, 'Before a restore on the command line', work, 'before_restore')
  const { snapshotAt } = await restoreFile(ctx, { path, key, safetyBackupId: safety?.id ?? null }, work)
  return [
    `The data is as it was at ${snapshotAt}; all rows and totals were compared.`,
    ...(safety ? [`What was there before is in ${safety.path}.`] : []),
    'Start the console: it brings in what Stripe, Cloudflare and the sites did since, and shows it under Backup.',
  ]
}

try {
  process.stdout.write(`${(await run()).join('\n')}\n`)
} catch (error) {
  process.stderr.write(`Nothing was replaced: ${startFailure(error)}\n`)
  process.exitCode = 1
} finally {
  input.close()
  await stops.stopAll()
}
