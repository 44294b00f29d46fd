import pino from 'pino'
import { openDatabase } from '../src/db/connect.ts'
import { DatabaseStartError } from '../src/db/errors.ts'

// What a console does with its database and nothing else, as a process that tests can kill: node console-stand-in.ts DATA_DIR
const [, , dataDir = ''] = process.argv
try {
  const config = { dataDir, databaseUrl: undefined, host: '127.0.0.1', port: 3000 }
  const database = await openDatabase(config, pino({ level: 'silent' }))
  const stay = setInterval(() => {}, 60_000)
  process.once('SIGTERM', async () => {
    await database.stop()
    clearInterval(stay)
  })
  process.stdout.write(`${database.connectionString}\n`)
} catch (error) {
  if (!(error instanceof DatabaseStartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
