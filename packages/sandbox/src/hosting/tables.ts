import type { Store } from '../store/store.ts'

const tables = (schema: string) => `
create table if not exists ${schema}.hosting_builds (
  id text primary key,
  label text not null,
  created bigint not null,
  is_open boolean not null,
  doc jsonb not null
);
create index if not exists hosting_builds_newest on ${schema}.hosting_builds (label, created desc);
create table if not exists ${schema}.hosting_served (label text primary key, build text not null);
`

export async function makeTables({ pool, schema }: Store): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`sandbox-hosting ${schema}`])
    await client.query(tables(schema))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
