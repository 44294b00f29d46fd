import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

type PersonRow = { id: string; name: string; email: string; is_active: boolean; has_joined: boolean }

const people = sql`select id, name, email, is_active, password_hash is not null as has_joined from users`

export async function findPeople({ db }: Db, ids: readonly string[]): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`${people} where id = any(${[...ids]})`.execute(db)
  return rows
}

export async function findAllPeople({ db }: Db, limit: number): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`${people} where is_active order by lower(name), id limit ${limit}`.execute(db)
  return rows
}

export type CustomerRow = { id: string; name: string | null; email: string | null; is_gone: boolean }

export async function findCustomers({ db }: Db, ids: readonly string[]): Promise<CustomerRow[]> {
  const { rows } = await sql<CustomerRow>`
    select id, name, nullif(btrim(email), '') as email, deleted_at is not null or hidden_at is not null as is_gone
    from customers where id = any(${[...ids]})`.execute(db)
  return rows
}
