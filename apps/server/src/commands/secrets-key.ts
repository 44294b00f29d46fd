import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type Config, loadConfig } from '../config.ts'
import { asSystem } from '../context.ts'
import { createDatabase } from '../db/client.ts'
import { attachOrStart } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { countSealed, type ResealCount, reseal } from '../features/settings/index.ts'
import { createLogger } from '../platform/logger.ts'
import { openSecretBox, secretsKeyFile } from '../platform/secrets.ts'
import { createStops, startFailure } from '../platform/shutdown.ts'

// Seals every stored secret with the key that is configured now: npm run secrets-key -- --from OLD
const stops = createStops(() => undefined)
const name = 'npm run secrets-key'

const options = {
  /** The key before; `-` reads it from standard input. Left out: the one in the file of DATA_DIR. */
  from: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  'leave-unreadable': { type: 'boolean', default: false },
} as const

const print = (line: string): void => void process.stdout.write(`${line}\n`)

type Given = { from?: string | undefined; 'leave-unreadable': boolean }

/** undefined: the one in the file of DATA_DIR. A lost one is not asked for where what it sealed may stay unreadable. */
async function oldKey({ dataDir, secretsKey }: Config, { from, ...given }: Given): Promise<string | undefined> {
  const key = from === '-' ? (await text(process.stdin)).trim() : from
  if (key !== undefined) {
    if (key === '' || key === secretsKey) throw new Error('--from must be the key before, not the one of now')
    return key
  }
  const file = secretsKeyFile(dataDir)
  if (given['leave-unreadable'] && (secretsKey === undefined || !existsSync(file))) return secretsKey
  if (secretsKey === undefined) throw new Error(`SECRETS_KEY must be the new key, or --from the key before ${file}`)
  if (!existsSync(file)) throw new Error(`there is no ${file}: say --from which key things were sealed with`)
  return undefined
}

const describe = ({ place, old, done, lost }: ResealCount): string =>
  `${place}: ${old} with the old key, ${done} with the new one${lost > 0 ? `, ${lost} with neither` : ''}`

async function run(): Promise<void> {
  const { values } = parseArgs({ options })
  const config = loadConfig()
  const from = await openSecretBox({ dataDir: config.dataDir, secretsKey: await oldKey(config, values) })
  const boxes = { from, to: await openSecretBox(config) }
  const log = createLogger('silent')
  const { connectionString, stop } = await attachOrStart(config, name, log)
  stops.add('database', stop)
  await migrate(connectionString, { log })
  const { kysely: db } = createDatabase(connectionString, { max: 1, applicationName: `agency-console ${name}`, log })
  stops.add('connections', () => db.destroy())
  for (const count of await countSealed({ db }, boxes)) print(describe(count))
  if (values['dry-run']) return print('Nothing was changed.')
  const ctx = asSystem({ db, clock: Date.now }, 'job', name)
  const tell = ({ place, old }: ResealCount) => print(`${place}: ${old} sealed anew`)
  await reseal(ctx, boxes, { leavesLost: values['leave-unreadable'], tell })
  print('Everything is sealed with the new key. The console can be started with it.')
}

try {
  await run()
} catch (error) {
  process.stderr.write(`Nothing was changed: ${startFailure(error)}\n`)
  process.exitCode = 1
} finally {
  await stops.stopAll()
}
