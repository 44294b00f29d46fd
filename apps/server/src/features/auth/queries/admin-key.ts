import { sql } from 'kysely'
import { z } from 'zod'
import type { AppContext } from '../../../context.ts'
import { keyHash } from '../key-hash.ts'

const adminKeyName = 'admin_key'
const adminKeySetting = z.object({
  hash: keyHash,
  source: z.enum(['environment', 'made']),
  /** Switched off under Security; it stays so until a new key is made. */
  enabled: z.boolean(),
  set_at: z.iso.datetime(),
})
export type AdminKeySetting = z.output<typeof adminKeySetting>

type Db = Pick<AppContext, 'db'>

export async function findAdminKeySetting({ db }: Db): Promise<AdminKeySetting | undefined> {
  const row = await db
    .selectFrom('instance_settings')
    .select('value')
    .where('key', '=', adminKeyName)
    .executeTakeFirst()
  return row && adminKeySetting.parse(row.value)
}

/** Answers whether it was the first. */
export async function insertAdminKeySetting(tx: Db, setting: AdminKeySetting): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('instance_settings')
    .values({ key: adminKeyName, value: JSON.stringify(setting) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function saveAdminKeySetting(tx: Db, setting: AdminKeySetting): Promise<void> {
  const value = JSON.stringify(setting)
  await tx.db
    .insertInto('instance_settings')
    .values({ key: adminKeyName, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
}

/** Of a stored setting as another query read it. */
export const isAdminKeyOn = (value: unknown): boolean => adminKeySetting.safeParse(value).data?.enabled === true
