import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

/** Administrators that are active, by name. */
export async function findPeople({ db }: Pick<AppContext, 'db'>): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from users where is_active order by lower(name), id limit 500`.execute(db)
  return rows
}
