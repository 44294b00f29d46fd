import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

/** Administrators that are active, by name. */
export async function findPeople({ db }: Pick<AppContext, 'db'>): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from users where is_active order by lower(name), id limit 500`.execute(db)
  return rows
}

export type Person = { id: string; name: string; is_active: boolean }

export async function findPersonOf({ db }: Pick<AppContext, 'db'>, address: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select id, name, is_active from users where lower(email) = lower(${address}) order by is_active desc limit 1`.execute(
    db,
  )
  return rows[0]
}
