import type { Kysely } from 'kysely'
import type { DB } from '../../../db/types.ts'

/** Objects that each step of the last finished import brought: what the next one may expect. */
export async function findExpectedObjects(db: Kysely<DB>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('mirror_import_steps as s')
    .innerJoin('mirror_imports as i', 'i.id', 's.import_id')
    .select(['s.object', 's.objects'])
    .where('i.id', '=', (eb) =>
      eb.selectFrom('mirror_imports').select('id').where('state', '=', 'done').orderBy('started_at', 'desc').limit(1),
    )
    .execute()
  return new Map(rows.map((row) => [row.object, row.objects]))
}
