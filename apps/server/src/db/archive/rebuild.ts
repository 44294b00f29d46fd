import type { Client } from 'pg'
import { findColumn, qualified } from './catalog.ts'

export type TakenOff = {
  /** Keys and indexes, by the table that they are of. */
  byTable: Map<string, string[]>
  /** What needs those of several tables. */
  last: string[]
}

type Taken = { table: string; drop: string; make: string }

/** Those of a partitioned table stand for those of its parts. */
const constraints = `
  select t.relname as table, format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as make
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.connamespace = to_regnamespace($1) and c.contype = any($2::"char"[]) and c.conparentid = 0 and c.conislocal
  order by c.conrelid::regclass::text, c.conname`

const indexes = `
  select t.relname as table, format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where c.relnamespace = to_regnamespace($1) and not c.relispartition
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by i.indexrelid::regclass::text`

/** Set by hand on the columns of an index, and no part of what the index says of itself. */
const statistics = `
  select format('alter index %s alter column %s set statistics %s', i.indexrelid::regclass, a.attnum, a.attstattarget) as value
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_attribute a on a.attrelid = i.indexrelid
  where c.relnamespace = to_regnamespace($1) and a.attstattarget >= 0`

async function find(client: Client, text: string, values: unknown[]): Promise<Taken[]> {
  return (await client.query<Taken>(text, values)).rows
}

/** Foreign keys and indexes go; each row would be looked at for each of them. */
export async function takeOff(client: Client, schema: string): Promise<TakenOff> {
  const foreign = await find(client, constraints, [schema, ['f']])
  const targets = await findColumn<string>(client, statistics, [schema])
  const plain = await find(client, indexes, [schema])
  const keys = await find(client, constraints, [schema, ['p', 'u', 'x']])
  for (const { drop } of [...foreign, ...plain, ...keys]) await client.query(drop)
  const byTable = new Map<string, string[]>()
  for (const { table, make } of [...keys, ...plain]) byTable.set(table, [...(byTable.get(table) ?? []), make])
  return { byTable, last: [...targets, ...foreign.map(({ make }) => make)] }
}

/** The triggers of the tables themselves: what they keep up to date comes with the rows. */
export async function switchTriggers(
  client: Client,
  schema: string,
  tables: readonly string[],
  to: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${qualified(schema, table)} ${to} trigger user`)
}
