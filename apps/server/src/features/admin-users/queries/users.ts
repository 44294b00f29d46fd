import type { Insertable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { Users } from '../../../db/types.ts'
import { AppError } from '../../../platform/errors.ts'
import { permissionsOf, superAdmin } from '../../auth/index.ts'

type Db = Pick<AppContext, 'db' | 'clock'>

/** Super admins can be removed one after the other only, so that two at once never remove the last two. */
export async function lockSuperAdmins({ db }: TransactionContext): Promise<void> {
  await db.selectFrom('roles').select('id').where('name', '=', superAdmin).forNoKeyUpdate().execute()
}

const columns = [
  'users.id',
  'users.email',
  'users.name',
  'users.role_id',
  'users.is_active',
  'users.password_hash',
  'users.password_set_at',
  'users.temporary_password_expires_at',
  'users.totp_secret',
  'users.totp_enabled_at',
  'roles.name as role',
  'roles.permissions as held',
] as const

/** Somebody as the changes need them. Nobody else changes the person until the transaction ends. */
export async function lockUser({ db }: TransactionContext, id: string) {
  const row = await db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(columns)
    .where('users.id', '=', id)
    .forNoKeyUpdate('users')
    .executeTakeFirst()
  return row && { ...row, permissions: permissionsOf(row.role, row.held) }
}

export type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>

/** How many super admins other than this one could sign in now. */
export async function countOtherSuperAdmins({ db, clock }: Db, id: string): Promise<number> {
  const { others } = await db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(sql<number>`count(*)::int`.as('others'))
    .where('roles.name', '=', superAdmin)
    .where('users.id', '<>', id)
    .where('users.is_active', '=', true)
    .where('users.password_hash', 'is not', null)
    .where((either) =>
      either.or([
        either('users.temporary_password_expires_at', 'is', null),
        either('users.temporary_password_expires_at', '>', new Date(clock())),
      ]),
    )
    .executeTakeFirstOrThrow()
  return others
}

export const insertUser = (tx: TransactionContext, row: Insertable<Users>): Promise<unknown> =>
  withFreeEmail(() => tx.db.insertInto('users').values(row).execute())

export const patchUser = (tx: TransactionContext, id: string, change: Updateable<Users>): Promise<unknown> =>
  withFreeEmail(() =>
    tx.db
      .updateTable('users')
      .set({ ...change, updated_at: new Date(tx.clock()) })
      .where('id', '=', id)
      .execute(),
  )

async function withFreeEmail(write: () => Promise<unknown>): Promise<unknown> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'users_email')) throw error
    throw new AppError('conflict', 'A user with this email address already exists', {
      parameter: 'email',
      cause: error,
    })
  }
}

export async function deleteUserRow({ db }: TransactionContext, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Name and address, to judge a password by. */
export const findNames = ({ db }: Pick<AppContext, 'db'>, id: string) =>
  db.selectFrom('users').select(['name', 'email']).where('id', '=', id).executeTakeFirst()
