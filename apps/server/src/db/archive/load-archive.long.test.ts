import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, execute, type TestDatabase } from '../../../test/database.ts'
import { findMigrationStatus } from '../migrate.ts'
import { dropSchema, loadArchive, loadingSchema } from './load-archive.ts'
import { fromFile } from './read-archive.ts'
import { DamagedArchive, makeArchiveKey } from './sealed-file.ts'
import { switchSchemas } from './switch-schemas.ts'
import { key, never, useArchive } from './test/archived.ts'

const archived = useArchive()

/** What a database holds, but for what tells when it was migrated. */
async function contents(connectionString: string, schema = 'public'): Promise<Record<string, unknown>> {
  const tables = await execute(
    connectionString,
    `select relname as name from pg_class where relnamespace = '${schema}'::regnamespace and relkind = 'r'
     and relname <> 'schema_migrations' order by 1`,
  )
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows, md5(coalesce(string_agg(x::text, '|' order by x::text), '')) as md5 from ${schema}.${name} x`,
  )
  const rows = await execute(connectionString, digests.join(' union all '))
  return Object.fromEntries(rows.map(({ name, ...digest }) => [name, digest]))
}

/** Tables, indexes, constraints and triggers, by their definitions. */
async function shape(connectionString: string): Promise<unknown> {
  const text = `
    select 'index ' || pg_get_indexdef(i.indexrelid) || coalesce((
      select string_agg(a.attnum || '=' || a.attstattarget, ',') from pg_attribute a where a.attrelid = i.indexrelid and a.attstattarget >= 0), '') as it
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
      and c.relname !~ 'site_probes_' and not c.relispartition
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid::regclass::text !~ 'site_probes_'
    union all select 'trigger ' || pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal and tgrelid::regclass::text !~ 'site_probes_'
    union all select 'column ' || attrelid::regclass || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || attnotnull || attidentity::text || attgenerated::text
      from pg_attribute join pg_class c on c.oid = attrelid where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and attnum > 0
      and not attisdropped and c.relname !~ 'site_probes_'
    union all select 'routine ' || oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`
  return (await execute(connectionString, text)).map(({ it }) => it)
}

async function load(into: string, file = archived.path, given = key): Promise<void> {
  await loadArchive({
    ...{ connection: { connectionString: into }, source: fromFile(file), key: given, signal: never() },
    onProgress() {},
  })
}

async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const take = (client: Client) =>
  switchSchemas(client, { from: loadingSchema, keep: async () => {}, record: async () => {} })

// Each makes a database whole, which takes seconds.
describe('a restore', () => {
  let target: TestDatabase
  beforeAll(async () => {
    target = await createEmptyDatabase()
  })
  afterAll(() => target?.drop())

  test('on a database without a table brings back every row, index, key, trigger and number', async () => {
    await load(target.connectionString)
    expect((await findMigrationStatus(target.connectionString)).applied).toEqual([])
    await withClient(target.connectionString, take)
    expect(await contents(target.connectionString)).toEqual(await contents(archived.t.database.connectionString))
    expect(await shape(target.connectionString)).toEqual(await shape(archived.t.database.connectionString))
    expect((await findMigrationStatus(target.connectionString)).pending).toEqual([])
    const [next] = await execute(
      target.connectionString,
      `insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type)
       values (now(), 'user', 'u', 'U', 'user.create', 'user') returning id::int`,
    )
    expect(next?.['id']).toBe(21)
    const [chain] = await execute(target.connectionString, 'select count(*)::int as places from audit_chain')
    expect(chain).toEqual({ places: 21 })
  })

  test('replaces what is there whole, sets it aside, and can be taken back', async () => {
    const before = await contents(target.connectionString)
    await load(target.connectionString)
    await execute(target.connectionString, `update customers set name = 'Changed meanwhile' where id = 'cus_1'`)
    const changed = await contents(target.connectionString)
    expect(changed['customers']).not.toEqual(before['customers'])
    await withClient(target.connectionString, take)
    expect(await contents(target.connectionString)).toEqual(await contents(archived.t.database.connectionString))
    expect(await contents(target.connectionString, 'set_aside')).toEqual(changed)
    await withClient(target.connectionString, (client) =>
      switchSchemas(client, { from: 'set_aside', keep: async () => {}, record: async () => {} }),
    )
    expect(await contents(target.connectionString)).toEqual(changed)
  })

  test('that fails in the switch changes nothing', async () => {
    const before = await contents(target.connectionString)
    await load(target.connectionString)
    const broken = withClient(target.connectionString, (client) =>
      switchSchemas(client, {
        ...{ from: loadingSchema, keep: async () => {} },
        record: async () => Promise.reject(new Error('no')),
      }),
    )
    await expect(broken).rejects.toThrow('no')
    expect(await contents(target.connectionString)).toEqual(before)
    await withClient(target.connectionString, (client) => dropSchema(client, loadingSchema))
  })

  test('of a damaged or foreign file changes nothing', async () => {
    const before = await contents(target.connectionString)
    const cut = join(archived.folder, 'cut.backup')
    writeFileSync(cut, readFileSync(archived.path).subarray(0, -2000))
    await expect(load(target.connectionString, cut)).rejects.toThrow(DamagedArchive)
    await expect(load(target.connectionString, archived.path, makeArchiveKey())).rejects.toThrow('another backup key')
    expect(await contents(target.connectionString)).toEqual(before)
  })

  test('what other schemas have that uses ours, or may read it, goes with what is in place afterwards', async () => {
    const { connectionString } = target
    await execute(
      connectionString,
      `create schema beside; create view beside.names as select id, name from customers; comment on view beside.names is 'Kept';
       create table beside.things (name text, state text);
       create index things_folded on beside.things (search_fold(name));
       create trigger things_tell after insert on beside.things for each statement execute function tell_change('sites');
       create role beside_reader; grant select (id), update (name) on customers to beside_reader; grant select on sites to beside_reader`,
    )
    try {
      const read = () =>
        execute(
          connectionString,
          `select pg_get_indexdef('beside.things_folded'::regclass) as index,
             (select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'beside.things'::regclass) as trigger,
             obj_description('beside.names'::regclass) as said,
             has_column_privilege('beside_reader', 'customers', 'name', 'update') as writes,
             has_column_privilege('beside_reader', 'customers', 'email', 'select') as reads_more,
             has_table_privilege('beside_reader', 'sites', 'select') as reads`,
        )
      const before = await read()
      expect(before).toMatchObject([{ said: 'Kept', writes: true, reads_more: false, reads: true }])
      await load(connectionString)
      await withClient(connectionString, take)
      expect(await read()).toEqual(before)
      const [row] = await execute(connectionString, `select name from beside.names where id = 'cus_1'`)
      expect(row).toEqual({ name: 'Customer 1' })
      // Nothing of it goes with what was replaced.
      await withClient(connectionString, (client) => dropSchema(client, 'set_aside'))
      expect(await read()).toEqual(before)
    } finally {
      await execute(
        connectionString,
        'drop schema beside cascade; revoke all on customers, sites from beside_reader; drop role beside_reader',
      )
    }
  })
})
