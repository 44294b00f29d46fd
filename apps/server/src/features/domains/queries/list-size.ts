import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

type Size = { keys: number; bytes: number }

export async function measureDomains(pool: Pool, connection: string): Promise<Size> {
  const [size] = await runStatement<Size>(pool, {
    text: `select count(*)::int as keys, coalesce(sum(pg_column_size(d.*)), 0)::bigint as bytes
      from domains d where connection = $1`,
    values: [connection],
  })
  return size ?? { keys: 0, bytes: 0 }
}

export async function findNames(pool: Pool, connection: string): Promise<string[]> {
  const rows = await runStatement<{ name: string }>(pool, {
    text: 'select name from domains where connection = $1 order by name',
    values: [connection],
  })
  return rows.map(({ name }) => name)
}
