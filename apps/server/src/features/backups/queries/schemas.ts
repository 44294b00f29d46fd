import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

/** Of these, those that the database has. */
export async function findSchemas({ db }: Pick<AppContext, 'db'>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname = any (${[...names]}::text[])`.execute(db)
  return rows.map(({ name }) => name)
}
