import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

/** From where browsers may ask: of all keys that are not revoked. */
export async function findOrigins({ db }: Pick<AppContext, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select distinct unnest(allowed_origins) as origin from api_keys where revoked_at is null`.execute(db)
  return rows.map(({ origin }) => origin)
}
