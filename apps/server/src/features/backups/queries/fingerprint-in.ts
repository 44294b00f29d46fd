import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

/** Which SECRETS_KEY the secrets of a loaded backup were sealed with; null: it does not say. */
export async function findFingerprintIn({ db }: Pick<AppContext, 'db'>, schema: string): Promise<string | null> {
  const { rows } = await sql<{ fingerprint: string | null }>`
    select value ->> 'fingerprint' as fingerprint from ${sql.table(`${schema}.instance_settings`)}
    where key = 'secrets.key'`.execute(db)
  return rows[0]?.fingerprint ?? null
}
