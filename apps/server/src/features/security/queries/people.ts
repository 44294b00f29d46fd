import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

/** Whether somebody may do everything without the admin key, with a second factor; they stay so until the transaction ends. */
export async function lockSuperAdminsWithFactor({ db }: TransactionContext): Promise<number> {
  const people = await superAdminsWithFactor(db).forUpdate('users').execute()
  return people.length
}

export async function countSuperAdminsWithFactor({ db }: Db): Promise<number> {
  return (await superAdminsWithFactor(db).execute()).length
}

const superAdminsWithFactor = (db: AppContext['db']) =>
  db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('users.id')
    .where('roles.name', '=', 'super_admin')
    .where('users.is_active', '=', true)
    .where('users.password_hash', 'is not', null)
    .where('users.totp_enabled_at', 'is not', null)

export type RoleFactors = {
  name: string
  permissions: string[]
  requires: boolean
  people: number
  withFactor: number
}

/** How many active people of each role have a second factor. */
export async function findRoleFactors({ db }: Db): Promise<RoleFactors[]> {
  const { rows } = await sql<RoleFactors>`
    select r.display_name as name, r.permissions, r.requires_second_factor as requires,
      count(u.id) as people, count(u.totp_enabled_at) as "withFactor"
    from roles r left join users u on u.role_id = r.id and u.is_active and u.password_hash is not null
    group by r.id order by cardinality(r.permissions) desc, r.display_name
  `.execute(db)
  return rows
}

export type PeopleFigures = { stale: string[]; invited: string[]; temporary: string[]; temporaryExpired: string[] }

/** Active people whose account waits for something, by name. */
export async function findPeopleFigures({ db }: Db, now: Date, staleBefore: Date): Promise<PeopleFigures> {
  const { rows } = await sql<PeopleFigures>`
    select
      coalesce(array_agg(name order by name) filter (
        where password_hash is not null and coalesce(last_login_at, created_at) < ${staleBefore}), '{}') as stale,
      coalesce(array_agg(name order by name) filter (where exists (
        select from user_links l where l.user_id = users.id and l.kind = 'invitation' and l.used_at is null
          and l.revoked_at is null and l.expires_at > ${now})), '{}') as invited,
      coalesce(array_agg(name order by name) filter (where temporary_password_expires_at > ${now}), '{}') as temporary,
      coalesce(array_agg(name order by name) filter (where temporary_password_expires_at <= ${now}), '{}')
        as "temporaryExpired"
    from users where is_active
  `.execute(db)
  return rows[0] ?? { stale: [], invited: [], temporary: [], temporaryExpired: [] }
}
