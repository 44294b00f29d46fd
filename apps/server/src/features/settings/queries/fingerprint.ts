import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../../db/types.ts'

type Db = { db: Kysely<DB> }

const key = 'secrets.key'
const stored = z.object({ fingerprint: z.string() })

export async function findFingerprint({ db }: Db): Promise<string | undefined> {
  const row = await db.selectFrom('instance_settings').select('value').where('key', '=', key).executeTakeFirst()
  return row && stored.parse(row.value).fingerprint
}

/** Changes nothing when there is one: of two processes that start at once, the first wins. */
export async function insertFingerprint({ db }: Db, fingerprint: string, at: Date): Promise<void> {
  await db
    .insertInto('instance_settings')
    .values({ key, value: JSON.stringify({ fingerprint }), updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function saveFingerprint({ db }: Db, fingerprint: string, at: Date): Promise<void> {
  const value = { value: JSON.stringify({ fingerprint }), updated_at: at }
  await db
    .insertInto('instance_settings')
    .values({ key, ...value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(value))
    .execute()
}
