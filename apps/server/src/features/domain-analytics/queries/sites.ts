import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

export async function findSiteDomains(db: Kysely<DB>): Promise<{ id: string; domain: string }[]> {
  const { rows } = await sql<{ id: string; domain: string }>`
    select id, domain from sites where deleted_at is null order by id
  `.execute(db)
  return rows
}
