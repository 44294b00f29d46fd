import { type Client, escapeIdentifier } from 'pg'
import { own, qualified } from './catalog.ts'

/** Something in another schema that says by its definition which of ours it uses, and so can be made anew by their names. */
type Bound = { drop: string | null; make: string }

/** Replaced, views keep who may read them. */
const views = `
  select distinct v.oid, null as drop, format('create or replace view %I.%I', n.nspname, v.relname) ||
    coalesce(' with (' || array_to_string(v.reloptions, ', ') || ')', '') || ' as ' || pg_get_viewdef(v.oid) as make
  from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
  join pg_class t on t.oid = d.refobjid join pg_namespace n on n.oid = v.relnamespace
  where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and v.relkind = 'v'
    and t.relnamespace = to_regnamespace($1) and v.relnamespace <> t.relnamespace
  order by v.oid`

const usesRoutine = (catalog: string, oid: string): string => `exists (
  select from pg_depend d join pg_proc p on p.oid = d.refobjid
  where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.refclassid = 'pg_proc'::regclass
    and p.pronamespace = to_regnamespace($1) and ${own('pg_proc', 'p.oid')})`

/** The table of the jobs is not ours, but some of its indexes and triggers use our functions. */
const indexes = `
  select format('drop index %s', c.oid::regclass) as drop, pg_get_indexdef(c.oid) as make
  from pg_class c where c.relkind in ('i', 'I') and not c.relispartition and c.relnamespace <> to_regnamespace($1)
    and ${usesRoutine('pg_class', 'c.oid')} order by c.oid`

const triggers = `
  select format('drop trigger %I on %s', g.tgname, g.tgrelid::regclass) as drop, pg_get_triggerdef(g.oid) as make
  from pg_trigger g join pg_class c on c.oid = g.tgrelid
  where not g.tgisinternal and g.tgparentid = 0 and c.relnamespace <> to_regnamespace($1)
    and ${usesRoutine('pg_trigger', 'g.oid')} order by g.oid`

/** Of tables and views, or of their columns, to others than their owner. */
const grants = `
  select c.relname as name, null as column, a.privilege_type as privilege, pg_get_userbyid(a.grantee) as grantee
  from pg_class c, aclexplode(c.relacl) a
  where c.relnamespace = to_regnamespace($1) and a.grantee not in (0, c.relowner)
  union all
  select c.relname, t.attname, a.privilege_type, pg_get_userbyid(a.grantee)
  from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
  where c.relnamespace = to_regnamespace($1) and a.grantee not in (0, c.relowner)`

type Grant = { name: string; column: string | null; privilege: string; grantee: string }

export type Beside = { bound: readonly Bound[]; grants: readonly Grant[] }

/** What others have that is bound to the objects of a schema; said without a search path, by full names. */
export async function findBeside(client: Client, schema: string): Promise<Beside> {
  const find = async <T extends object>(text: string): Promise<T[]> => (await client.query<T>(text, [schema])).rows
  const bound = [...(await find<Bound>(indexes)), ...(await find<Bound>(triggers)), ...(await find<Bound>(views))]
  return { bound, grants: await find<Grant>(grants) }
}

/** While the objects that it uses still have their place. */
export async function takeOffBeside(client: Client, { bound }: Beside): Promise<void> {
  for (const { drop } of bound) if (drop !== null) await client.query(drop)
}

/** Once others have taken their place under the same names. */
export async function bindBeside(client: Client, schema: string, { bound, grants }: Beside): Promise<void> {
  for (const { make } of bound) await client.query(make)
  const columns = new Set(
    (
      await client.query<{ name: string }>(
        `select c.relname || '.' || coalesce(t.attname, '') as name
         from pg_class c left join lateral (
           select attname from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped union all select null
         ) t on true where c.relnamespace = to_regnamespace($1)`,
        [schema],
      )
    ).rows.map(({ name }) => name),
  )
  for (const { name, column, privilege, grantee } of grants) {
    if (!columns.has(`${name}.${column ?? ''}`)) continue
    const of = column === null ? '' : ` (${escapeIdentifier(column)})`
    await client.query(`grant ${privilege}${of} on ${qualified(schema, name)} to ${escapeIdentifier(grantee)}`)
  }
}
