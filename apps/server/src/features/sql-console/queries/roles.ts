import type { Pool, PoolClient } from 'pg'
import { AppError } from '../../../platform/errors.ts'
import { scramVerifier } from '../scram.ts'

/** `reader` sees personal columns, `masked` does not, `writer` is taken on for one statement of a change. */
export type RoleNames = { reader: string; masked: string; writer: string }

const longestName = 63

/** Of each database its own, since roles belong to the whole server. */
function roleNamesOf(database: string): RoleNames {
  const stem = database.slice(0, longestName - '_sql_masked'.length)
  return { reader: `${stem}_sql_reader`, masked: `${stem}_sql_masked`, writer: `${stem}_sql_writer` }
}

export type RoleSetting = readonly [name: string, value: string]

/** In force from the first moment of a session, whatever is asked in it. */
const readerSettings: readonly RoleSetting[] = [
  ['default_transaction_read_only', 'on'],
  // Later than the console's own timer: for the case that the console is gone.
  ['statement_timeout', '90s'],
  ['lock_timeout', '2s'],
  ['idle_in_transaction_session_timeout', '90s'],
  ['work_mem', '4MB'],
  ['hash_mem_multiplier', '1'],
  ['max_parallel_workers_per_gather', '0'],
  ['jit', 'off'],
  ['search_path', 'sql_views'],
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, MDY'],
  ['intervalstyle', 'postgres'],
]

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** At most so many queries of all kinds at once. */
const mostSessions = 10

/** What makes the roles, as a superuser or a role with CREATEROLE runs it; done again it changes nothing. */
export function roleStatements(names: RoleNames, passwordOf: (role: string) => string, owner: string): string[] {
  const { reader, masked, writer } = names
  const makeRole = (role: string, options: string) => [
    `do $$ begin
  if not exists (select from pg_roles where rolname = ${literal(role)}) then create role ${quoted(role)}; end if;
end $$`,
    `alter role ${quoted(role)} with ${options}`,
  ]
  const logins = [reader, masked].flatMap((role) => [
    ...makeRole(
      role,
      `login noinherit connection limit ${mostSessions} password ${literal(scramVerifier(passwordOf(role)))}`,
    ),
    ...readerSettings.map(([name, value]) => `alter role ${quoted(role)} set ${name} = ${literal(value)}`),
  ])
  return [
    ...logins,
    ...makeRole(writer, 'nologin noinherit'),
    // So that the console may end their sessions, and take on the writer's rights.
    `grant ${[reader, masked, writer].map(quoted).join(', ')} to ${quoted(owner)}`,
  ]
}

type Standing = { owner: string; database: string; may_create: boolean; present: string[] }

export async function findRoleStanding(client: Pick<Pool, 'query'>): Promise<Standing & { names: RoleNames }> {
  const { rows } = await client.query<{ owner: string; database: string; may_create: boolean }>(
    `select current_user::text as owner, current_database()::text as database, rolsuper or rolcreaterole as may_create
     from pg_roles where rolname = current_user`,
  )
  const found = rows[0]
  if (!found) throw new AppError('unavailable', 'The console found no role of its own in the database')
  const names = roleNamesOf(found.database)
  const present = await client.query<{ rolname: string }>(
    'select rolname::text from pg_roles where rolname = any($1::text[])',
    [Object.values(names)],
  )
  return { ...found, names, present: present.rows.map(({ rolname }) => rolname) }
}

const lockName = 'sql console roles'

/** Makes the roles where the console may, and gives them their rights. Throws where somebody has to do it by hand. */
export async function ensureRoles(pool: Pool, passwordOf: (role: string) => string): Promise<RoleNames> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // Two statements that change the same role at once fail.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [lockName])
    const names = await makeOrFind(client, passwordOf)
    await client.query('commit')
    return names
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function makeOrFind(client: PoolClient, passwordOf: (role: string) => string): Promise<RoleNames> {
  const { names, owner, may_create, present } = await findRoleStanding(client)
  const isWhole = present.length === Object.keys(names).length
  if (may_create) await makeRoles(client, roleStatements(names, passwordOf, owner), isWhole)
  else if (!isWhole)
    throw new AppError(
      'unavailable',
      'The SQL console needs database roles. Ask the database administrator to run the output of npm run sql-roles.',
    )
  await client.query('select sql_console_grant_readers($1, $2)', [names.reader, names.masked])
  await client.query('select sql_console_grant_writer($1)', [names.writer])
  return names
}

/** Roles that somebody else made are theirs to change, and good as they are. */
async function makeRoles(client: PoolClient, statements: readonly string[], isWhole: boolean): Promise<void> {
  await client.query('savepoint roles')
  try {
    for (const text of statements) await client.query(text)
  } catch (error) {
    if (!isWhole) throw error
    await client.query('rollback to savepoint roles')
  }
}
