import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

/**
 * From which moment on every look at these sites is still there. Where no hour of a site is older than its first look, none
 * was ever thrown away.
 */
export async function findKeptFrom({ db }: Pick<AppContext, 'db'>, siteIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ at: Date | null; hasNone: boolean | null }>`
    select max(at) as at, bool_or(at is null) as "hasNone"
    from (
      select f.at from unnest(${[...siteIds]}::text[]) as w (id)
      cross join lateral (select min(p.at) as at from site_probes p where p.site_id = w.id) f
      where exists (
        select from site_probe_hours h
        where h.site_id = w.id and h.hour < date_trunc('hour', coalesce(f.at, 'infinity'), 'UTC')
      )
    ) forgotten`.execute(db)
  const [row] = rows
  if (row?.hasNone) return Number.POSITIVE_INFINITY
  return row?.at?.getTime() ?? Number.NEGATIVE_INFINITY
}
