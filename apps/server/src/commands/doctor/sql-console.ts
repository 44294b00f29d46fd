import type { Database } from '../../db/client.ts'
import { findRoleTroubles } from '../../features/sql-console/index.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { type Finding, fail, ok } from './finding.ts'

const check = 'SQL console'

/** Whether queries run as roles that can read the views and nothing else. */
export async function checkSqlConsole({ pool }: Database, box: SecretBox | null): Promise<Finding> {
  const { state, troubles, isWatched } = await findRoleTroubles(pool, box)
  if (state === 'later') return ok(check, 'database roles are created at the first query')
  if (state === 'missing')
    return fail(
      check,
      'no database roles, and the console cannot create them',
      'ask the database administrator to run the output of npm run sql-roles',
    )
  if (troubles.length > 0)
    return fail(check, troubles.join('; '), 'ask the database administrator to run the output of npm run sql-roles')
  return ok(
    check,
    isWatched
      ? 'own read-only roles; time, memory and disk of queries are limited'
      : 'own read-only roles; time and disk of queries are limited, memory is not: the database runs on another machine',
  )
}
