import type { SiteOwner } from '@agency/contract/types'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../../db/types.ts'
import { runStatement, Values } from '../../../platform/statements.ts'
import { searchTerm } from '../../billing/index.ts'

/** Customers by name or email, in the order of their names; neither deleted nor hidden ones. */
export async function findOwners(pool: Pool, search: string, limit: number): Promise<SiteOwner[]> {
  const values = new Values()
  const term = searchTerm(values, search)
  const matches = term ? `and left(cs.doc, cs.who_length) like ${term.pattern}` : ''
  const text = `select c.id, c.name, c.email
    from (
      select cs.customer_id, cs.sort_name from customer_search cs join customers k on k.id = cs.customer_id
      where not cs.hidden and k.deleted_at is null ${matches}
      order by cs.sort_name, cs.customer_id limit ${values.add(limit)}
    ) found join customers c on c.id = found.customer_id
    order by found.sort_name, c.id`
  return runStatement(pool, { text, values: values.list })
}

export const findOwner = (db: Kysely<DB>, id: string): Promise<SiteOwner | undefined> =>
  db
    .selectFrom('customers')
    .select(['id', 'name', 'email'])
    .where('id', '=', id)
    .where('hidden_at', 'is', null)
    .executeTakeFirst()

/** Those of these that are customers here. */
export async function findOwnersByIds(db: Kysely<DB>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from customers where id = any (${ids}::text[]) and hidden_at is null`.execute(db)
  return new Set(rows.map((row) => row.id))
}
