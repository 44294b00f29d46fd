import type { AppContext } from '../../context.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findRoleStanding, roleStatements } from './queries/roles.ts'

/** The same in each process, and nowhere written down. */
export const passwordsOf =
  (box: SecretBox) =>
  (role: string): string =>
    box.sign('password of a database role', role)

const head = (
  owner: string,
) => `-- The roles of the SQL console of Agency Console, for an administrator of the database:
--   psql --single-transaction --file this.sql <this database>
-- The first two sign in, read the views of the schema sql_views and nothing else; the second sees personal columns masked. The
-- third is taken on by ${owner} while it makes a change that somebody asked for. Passwords are given as PostgreSQL keeps
-- them, made from SECRETS_KEY: with another key, run this again. Run twice it changes nothing. npm run doctor checks the outcome.
`

/** What somebody who may make roles has to run where the console may not. */
export async function rolesScript(pool: AppContext['pool'], box: SecretBox): Promise<string> {
  const { names, owner } = await findRoleStanding(pool)
  const statements = roleStatements(names, passwordsOf(box), owner)
  return [head(owner), ...statements.map((text) => `${text};`), ''].join('\n')
}
