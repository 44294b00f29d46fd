import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { createLogger } from '../src/platform/logger.ts'
import type { Scale } from './bench-context.ts'
import { recreateDatabase } from './rows/import.ts'
import { seedScale } from './seed-scale.ts'

export type BenchDatabase = {
  connectionString: string
  emptyDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

const log = createLogger('warn')

async function isFilled(connectionString: string, scale: Scale): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ payments: string }>(
    'select coalesce(sum(payments), 0) as payments from payment_totals',
  )
  await client.end()
  return Number(rows[0]?.payments) >= scale.payments
}

function onDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.toString()
}

/** A console that finds a backup which nobody has proven restores it into a cluster of its own, beside whatever is measured. */
export async function forgetBackups(pool: pg.Pool): Promise<void> {
  await pool.query('delete from backup_drills')
  await pool.query('delete from backups')
  await pool.query(`delete from runs where name like 'backups.%'`)
}

/** A filled database of its own, kept for the next run; BENCH_DIR says where. */
export async function openBenchDatabase(scale: Scale): Promise<BenchDatabase> {
  const dataDir = process.env['BENCH_DIR'] ?? join(tmpdir(), `agency-bench-${scale.customers}-${scale.payments}`)
  await mkdir(dataDir, { recursive: true })
  const config = { dataDir, databaseUrl: undefined, host: '127.0.0.1', port: 0 }
  const { connectionString, stop } = await openDatabase(config, log)
  await migrate(connectionString, { log })
  if (!(await isFilled(connectionString, scale))) {
    await seedScale(connectionString, scale, (line) => process.stderr.write(`${line}\n`))
  }
  const server = new pg.Pool({ connectionString, max: 1 })
  server.on('error', () => {})
  await forgetBackups(server)
  await server.query('vacuum analyze')
  return {
    connectionString,
    async emptyDatabase(name) {
      await recreateDatabase(server, name)
      const target = onDatabase(connectionString, name)
      await migrate(target, { log })
      return target
    },
    async stop() {
      await server.end()
      await stop()
    },
  }
}
