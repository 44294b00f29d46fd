import type { Role } from '@agency/contract/types'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { Roles } from '../../../db/types.ts'
import { AppError } from '../../../platform/errors.ts'
import { permissionsOf } from '../../auth/index.ts'

type Db = Pick<AppContext, 'db'>

const roles = ({ db }: Db) =>
  db
    .selectFrom('roles')
    .selectAll()
    .select((row) =>
      row
        .selectFrom('users')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('users.role_id', '=', 'roles.id')
        .as('user_count'),
    )

type RoleRow = Selectable<Roles> & { user_count: number | null }

const toRole = (row: RoleRow): Role => ({
  id: row.id,
  name: row.name,
  display_name: row.display_name,
  description: row.description,
  permissions: [...permissionsOf(row.name, row.permissions)],
  user_count: row.user_count ?? 0,
  is_system_role: row.is_system_role,
  requires_second_factor: row.requires_second_factor,
})

/** The system's own first, in the order of what they hold; then the others by name. */
export async function findRoles(ctx: Db): Promise<Role[]> {
  const rows = await roles(ctx)
    .orderBy('is_system_role', 'desc')
    .orderBy(sql`case when is_system_role then -cardinality(permissions) end`)
    .orderBy(sql`lower(display_name)`)
    .orderBy('id')
    .execute()
  return rows.map(toRole)
}

export async function findRole(ctx: Db, id: string): Promise<Role | undefined> {
  const row = await roles(ctx).where('id', '=', id).executeTakeFirst()
  return row && toRole(row)
}

/** A role that stays as it is, and stays, until the transaction ends. */
export async function findRoleToGive(tx: TransactionContext, id: string): Promise<Role | undefined> {
  const row = await roles(tx).where('id', '=', id).forShare('roles').executeTakeFirst()
  return row && toRole(row)
}

/** Nobody else changes or gives the role until the transaction ends. */
export async function lockRole(tx: TransactionContext, id: string): Promise<Role | undefined> {
  const row = await roles(tx).where('id', '=', id).forUpdate('roles').executeTakeFirst()
  return row && toRole(row)
}

/** Asked after the role was locked: whoever was given it meanwhile is seen then. */
export async function countPeopleWith({ db }: TransactionContext, roleId: string): Promise<number> {
  const { people } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)::int`.as('people'))
    .where('role_id', '=', roleId)
    .executeTakeFirstOrThrow()
  return people
}

export async function findRoleNames({ db }: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('roles').select('name').execute()
  return new Set(rows.map(({ name }) => name))
}

export const insertRole = (tx: TransactionContext, row: Insertable<Roles>): Promise<unknown> =>
  withFreeName(() => tx.db.insertInto('roles').values(row).execute())

export const patchRole = (tx: TransactionContext, id: string, change: Updateable<Roles>): Promise<unknown> =>
  withFreeName(() =>
    tx.db
      .updateTable('roles')
      .set({ ...change, updated_at: new Date(tx.clock()) })
      .where('id', '=', id)
      .execute(),
  )

/** By the name that people see, however it is written. */
async function withFreeName(write: () => Promise<unknown>): Promise<unknown> {
  try {
    return await write()
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
    if (constraint !== 'roles_display_name' && constraint !== 'roles_name_key') throw error
    throw new AppError('conflict', 'A role with this name already exists', {
      parameter: 'display_name',
      cause: error,
    })
  }
}

export async function deleteRoleRow({ db }: TransactionContext, id: string): Promise<void> {
  await db.deleteFrom('roles').where('id', '=', id).execute()
}
