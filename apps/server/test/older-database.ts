import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../src/db/migrate.ts'
import { createEmptyDatabase, execute } from './database.ts'

const migrations = fileURLToPath(new URL('../src/db/migrations', import.meta.url))

/** A database as it was before the migration of that number; `migrate` brings it up to date and names what ran. */
export async function createOlderDatabase(number: string) {
  const { connectionString, drop } = await createEmptyDatabase()
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    const before = (await readdir(migrations)).filter((name) => name < number)
    await Promise.all(before.map((name) => cp(join(migrations, name), join(directory, name))))
    await migrate(connectionString, { directory })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  return { run: (sql: string) => execute(connectionString, sql), migrate: () => migrate(connectionString), drop }
}
