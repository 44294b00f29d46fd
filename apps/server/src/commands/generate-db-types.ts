import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { startEmbeddedPostgres } from '../db/embedded/start.ts'
import { migrate } from '../db/migrate.ts'

// Writes apps/server/src/db/types.ts from a migrated throw-away database; with --check only says whether it would change.
const target = fileURLToPath(new URL('../db/types.ts', import.meta.url))

async function generate(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agency-types-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'error' }), settings: { durable: false } })
  try {
    await migrate(postgres.connectionString)
    return execFileSync(
      'kysely-codegen',
      [
        ...['--dialect', 'postgres', '--url', postgres.connectionString, '--print', '--log-level', 'error'],
        // As db/client.ts reads them.
        ...['--date-parser', 'string', '--type-mapping', '{"int8":"number","interval":"string","timestamp":"string"}'],
        // The views of the SQL console are for its own roles.
        ...['--exclude-pattern', '{public.schema_migrations,sql_views.*}'],
      ],
      { encoding: 'utf8' },
    )
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const generated = await generate()
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== generated) {
    process.stderr.write('apps/server/src/db/types.ts is not what the migrations make: npm run generate\n')
    process.exitCode = 1
  }
} else {
  writeFileSync(target, generated)
}
