import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

type SiteTotals = { total: number; active: number; before: number }

/** `before`: how many there were at that moment. */
export async function findSiteTotals(pool: Pool, at: Date): Promise<SiteTotals> {
  const text = `select count(*) filter (where deleted_at is null)::int as total,
    count(*) filter (where deleted_at is null and status = 'active')::int as active,
    count(*) filter (where created_at <= $1 and (deleted_at is null or deleted_at > $1))::int as before
    from sites`
  const [row] = await runStatement<SiteTotals>(pool, { text, values: [at], prepare: true })
  if (!row) throw new Error('An aggregate answers one row')
  return row
}
