import type { Pool } from 'pg'
import type { RoleNames } from './roles.ts'

export type RoleFacts = {
  name: string
  /** It may do more than it should: superuser, making roles or databases, passing by row security, replicating. */
  is_powerful: boolean
  inherits: boolean
  is_read_only: boolean
  /** Roles that it was given. */
  member_of: string[]
  /** Tables beside the views that it may read or write. */
  reaches: string[]
  /** The console may end its sessions. */
  is_ours: boolean
}

const text = `select r.rolname::text as name,
    r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolbypassrls or r.rolreplication as is_powerful,
    r.rolinherit as inherits,
    coalesce('default_transaction_read_only=on' = any(r.rolconfig), false) as is_read_only,
    array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid) as member_of,
    array(
      select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema', 'sql_views')
        and n.nspname !~ '^pg_(toast|temp)'
        and has_any_column_privilege(r.oid, c.oid, 'select, insert, update') order by 1 limit 3
    ) as reaches,
    pg_has_role(current_user, r.oid, 'usage') as is_ours
  from pg_roles r where r.rolname = any($1::text[]) order by r.rolname`

/** How the roles of the readers stand, as the server itself says it. */
export async function findRoleFacts(pool: Pool, { reader, masked }: RoleNames): Promise<RoleFacts[]> {
  const { rows } = await pool.query<RoleFacts>(text, [[reader, masked]])
  return rows
}
