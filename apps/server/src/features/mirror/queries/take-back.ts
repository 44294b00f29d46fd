import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { mirrorTables } from '../tables.ts'
import { lockMirror } from './upsert.ts'

/** Payments and charges are made of each other's objects. */
const madeOf = (kind: ObjectKind): readonly ObjectKind[] =>
  kind === 'payment' || kind === 'charge' ? ['payment', 'charge'] : [kind]

/**
 * Removes the rows that nothing but a listing since `since` brought. What was here before stays, and what an event or an own
 * call has shown meanwhile is proven by that.
 */
export async function takeBackListed(
  db: Kysely<DB>,
  kind: ObjectKind,
  { since, source }: { since: number; source: 'import' | 'reconcile' },
): Promise<void> {
  await lockMirror(db)
  for (const each of madeOf(kind))
    await sql`delete from ${sql.table(mirrorTables[each].name)} where first_seq >= ${since} and source = ${source}`.execute(
      db,
    )
}
