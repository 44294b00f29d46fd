import type { SqlView } from '@agency/contract/sql-console'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

const viewsText = `select c.relname::text as name, obj_description(c.oid, 'pg_class') as description, (
    select json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'description', col_description(c.oid, a.attnum),
      'is_personal', coalesce(col_description(c.oid, a.attnum) like 'Personal%', false)
    ) order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'sql_views' and c.relkind = 'v' and c.relname <> 'personal_columns' order by c.relname`

/** The views that can be queried, with what is said of them. */
export const findViews = (pool: Pool): Promise<SqlView[]> =>
  runStatement<SqlView>(pool, { text: viewsText, values: [] })

export type WritableTable = { name: string; columns: string[]; key: string[] }

/** What the writer has been given, column by column, and by what a row is known. */
const writableText = `select c.relname::text as name,
    array_agg(a.attname::text order by a.attnum) as columns,
    array(
      select k.attname::text from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary order by k.attnum
    ) as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname = 'public' and c.relkind in ('r', 'p') and has_column_privilege($1::name, c.oid, a.attnum, 'update')
  group by c.oid, c.relname order by c.relname`

export const findWritable = (pool: Pool, writer: string): Promise<WritableTable[]> =>
  runStatement<WritableTable>(pool, { text: writableText, values: [writer] })
