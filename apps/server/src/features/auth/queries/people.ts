import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { superAdmin } from '../actors.ts'

type Db = Pick<AppContext, 'db'>

const people = ({ db }: Db) =>
  db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.is_active',
      'users.password_hash',
      'users.temporary_password_expires_at',
      'users.totp_secret',
      'users.totp_enabled_at',
      'users.totp_last_step',
      'roles.name as role',
      'roles.permissions',
      'roles.requires_second_factor',
    ])

/** Somebody with what their sign-in needs. */
export type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

export const findPerson = (ctx: Db, id: string) => people(ctx).where('users.id', '=', id).executeTakeFirst()

export const findPersonByEmail = (ctx: Db, email: string) =>
  people(ctx).where('users.email', '=', email).executeTakeFirst()

/** Nobody else changes the person until the transaction ends. Sessions, links and codes of theirs are locked after this. */
export async function lockPerson(tx: TransactionContext, id: string): Promise<Person | undefined> {
  // Read apart from the lock: after a wait, the role that the same statement had joined may be another one.
  await tx.db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return findPerson(tx, id)
}

/** Active people who may give a permission, the most recently active first: they manage people and hold it themselves. */
export async function findGivers({ db }: Db, permission: string, exceptId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('users.name')
    .where('users.is_active', '=', true)
    .where('users.password_hash', 'is not', null)
    .where('users.id', '!=', exceptId)
    .where((either) =>
      either.or([
        either('roles.name', '=', superAdmin),
        sql<boolean>`roles.permissions @> array['admin.users', ${permission}]::text[]`,
      ]),
    )
    .orderBy('users.last_activity_at', (order) => order.desc().nullsLast())
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .execute()
  return rows.map(({ name }) => name)
}

export async function noteSignIn(tx: TransactionContext, id: string): Promise<void> {
  const now = new Date(tx.clock())
  await tx.db
    .updateTable('users')
    .set((row) => ({ last_login_at: now, last_activity_at: now, login_count: row('login_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function noteActivity(tx: TransactionContext, id: string, at: Date): Promise<void> {
  await tx.db.updateTable('users').set({ last_activity_at: at }).where('id', '=', id).execute()
}

export async function saveTheme({ db }: TransactionContext, id: string, theme: string): Promise<void> {
  await db.updateTable('users').set({ theme }).where('id', '=', id).execute()
}

/** A password of the person's own: whatever was temporary is over. */
export async function savePassword(tx: TransactionContext, id: string, passwordHash: string): Promise<void> {
  const now = new Date(tx.clock())
  await tx.db
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      password_set_at: now,
      temporary_password_expires_at: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

export async function saveTotp(
  tx: TransactionContext,
  id: string,
  totp: { secret: string | null; enabledAt: Date | null; lastStep: number | null },
): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({
      totp_secret: totp.secret,
      totp_enabled_at: totp.enabledAt,
      totp_last_step: totp.lastStep,
      updated_at: new Date(tx.clock()),
    })
    .where('id', '=', id)
    .execute()
}

/** Takes a time step once. Answers whether it was newer than all before. */
export async function useTotpStep(tx: TransactionContext, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where((either) => either.or([either('totp_last_step', 'is', null), either('totp_last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countRecoveryCodes({ db }: Db, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)::int`.as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

export async function replaceRecoveryCodes(
  tx: TransactionContext,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await tx.db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}

/** Takes a code once. Answers whether it was there and unused. */
export async function useRecoveryCode(tx: TransactionContext, userId: string, hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('recovery_codes')
    .set({ used_at: new Date(tx.clock()) })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
