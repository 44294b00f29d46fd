import type { Pool } from 'pg'

/** Written beside a change by design: counters of tries, when somebody was seen, what a provider was asked. */
const beside = ['sign_in_attempts', 'sign_in_lockouts', 'audit_entries', 'audit_chain', 'audit_head']

let digests: string | undefined

/** One statement that digests every table: it may run before and after every call. */
async function digestEveryTable(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ table_name: string }>(`select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
  return rows
    .filter(({ table_name: name }) => !beside.includes(name))
    .map(
      ({ table_name: name }) =>
        `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as md5 from "${name}" t`,
    )
    .join(' union all ')
}

/** A digest of every table's rows, by table. */
export async function digestTables(pool: Pool): Promise<Record<string, string>> {
  digests ??= await digestEveryTable(pool)
  // Prepared: to plan it takes ten times as long as to run it.
  const { rows } = await pool.query<{ name: string; md5: string }>({ name: 'digest of every table', text: digests })
  return Object.fromEntries(rows.map(({ name, md5 }) => [name, md5]))
}
