import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'
import type { ArchivedTable, Preamble } from './frames.ts'

/** What the console keeps about itself as a whole; recorded in the preamble instead. */
const unarchived = 'schema_migrations'

/** Things that an extension brought are none of ours. */
export const own = (catalog: string, oid: string): string =>
  `not exists (select from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${oid} and e.deptype = 'e')`

export const qualified = (schema: string, name: string): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`

export async function findColumn<T>(client: ClientBase, text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await client.query<{ value: T }>(text, values)
  return rows.map(({ value }) => value)
}

/** With what can be written into them; a column that is computed is computed again. */
export async function findTables(client: ClientBase, schema: string): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable>(
    `select c.relname as name, coalesce((
       select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     ), '{}') as columns
     from pg_class c
     where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' and c.relname <> '${unarchived}'
       and ${own('pg_class', 'c.oid')}
     order by 1`,
    [schema],
  )
  return rows
}

async function findPartitions(client: ClientBase, schema: string): Promise<Preamble['partitions']> {
  const { rows } = await client.query<Preamble['partitions'][number]>(
    `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relnamespace = to_regnamespace($1) and c.relispartition and c.relkind = 'r' order by 1`,
    [schema],
  )
  return rows
}

/** They are no part of a snapshot: read after it began, they are at least as far as its rows. */
async function findSequences(client: ClientBase, schema: string): Promise<Preamble['sequences']> {
  const names = await findColumn<string>(
    client,
    `select c.relname as value from pg_class c
     where c.relnamespace = to_regnamespace($1) and c.relkind = 'S' and ${own('pg_class', 'c.oid')} order by 1`,
    [schema],
  )
  if (names.length === 0) return []
  const { rows } = await client.query<Preamble['sequences'][number]>(
    names
      .map(
        (name) =>
          `select ${escapeLiteral(name)} as name, last_value::text as value, is_called as "isCalled" from ${qualified(schema, name)}`,
      )
      .join(' union all '),
  )
  return rows
}

async function readMigrations(client: ClientBase, schema: string): Promise<Preamble['migrations']> {
  const { rows } = await client.query<Preamble['migrations'][number]>(
    `select name, checksum from ${qualified(schema, unarchived)} order by name`,
  )
  return rows
}

export async function readAuditHead(client: ClientBase, schema: string): Promise<Preamble['audit']> {
  const { rows } = await client.query<{ seq: string; hash: string; entry_id: string; at: Date }>(
    `select h.seq::text as seq, encode(h.hash, 'hex') as hash, c.entry_id::text as entry_id, e.at
     from ${qualified(schema, 'audit_head')} h join ${qualified(schema, 'audit_chain')} c using (seq)
     join ${qualified(schema, 'audit_entries')} e on e.id = c.entry_id`,
  )
  const [head] = rows
  return head ? { seq: Number(head.seq), hash: head.hash, entryId: head.entry_id, at: head.at.toISOString() } : null
}

/** What an archive says of the schema before the first row; within the snapshot that the rows come from. */
export async function describeSchema(
  client: ClientBase,
  schema: string,
  { console, now }: { console: string; now: Date },
): Promise<Preamble> {
  const [server = ''] = await findColumn<string>(client, `select current_setting('server_version') as value`)
  return {
    ...{ console, server, snapshotAt: now.toISOString() },
    migrations: await readMigrations(client, schema),
    tables: await findTables(client, schema),
    partitions: await findPartitions(client, schema),
    sequences: await findSequences(client, schema),
    audit: await readAuditHead(client, schema),
  }
}

type Movable = { kind: 'table' | 'view' | 'sequence' | 'routine' | 'type'; name: string }

/**
 * All that can be moved into another schema; what belongs to a table (indexes, its sequences, its row type) goes with it.
 * Routines come first: their arguments may be rows of a table, by the name that it has now.
 */
export async function findMovable(client: ClientBase, schema: string): Promise<Movable[]> {
  const { rows } = await client.query<Movable>(
    `select case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end as kind, quote_ident(c.relname) as name
     from pg_class c
     where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p', 'v', 'S') and ${own('pg_class', 'c.oid')}
       and not (c.relkind = 'S' and exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
     union all
     select 'routine', quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')'
     from pg_proc p where p.pronamespace = to_regnamespace($1) and ${own('pg_proc', 'p.oid')}
     union all
     select 'type', quote_ident(t.typname) from pg_type t
     where t.typnamespace = to_regnamespace($1) and t.typtype in ('e', 'd', 'c') and ${own('pg_type', 't.oid')}
       and (t.typtype <> 'c' or exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
     order by 1, 2`,
    [schema],
  )
  return rows
}
