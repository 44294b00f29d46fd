import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { DownSite, Population } from '../grouping.ts'

type Db = Pick<AppContext, 'db'>

/** The zone of a site is the longest one that its name ends with. */
const zoneOf = sql`(
  select z.name from domains z where s.domain = z.name or s.domain like '%.' || z.name
  order by length(z.name) desc limit 1
)`

export async function findDownSites({ db }: Db, ids: readonly string[]): Promise<DownSite[]> {
  const { rows } = await sql<DownSite>`
    select s.id as "siteId", s.site_name as name, ${zoneOf} as zone, s.provider
    from sites s where s.id = any(${[...ids]}::text[]) order by s.id`.execute(db)
  return rows
}

/** Of the zones and providers of these sites only. */
export async function findPopulation({ db }: Db, down: readonly DownSite[]): Promise<Population> {
  const zones = [...new Set(down.flatMap(({ zone }) => zone ?? []))]
  const { rows } = await sql<{ kind: 'all' | 'provider' | 'zone'; key: string; sites: number }>`
    with looked_at as (
      select s.domain, s.provider from sites s
      where s.deleted_at is null and s.at_provider in ('served', 'resuming', 'still_served')
    )
    select 'all' as kind, '' as key, count(*) as sites from looked_at
    union all
    select 'provider', provider, count(*) from looked_at where provider is not null group by provider
    union all
    select 'zone', z.name, count(*) from unnest(${zones}::text[]) z (name)
      join looked_at l on l.domain = z.name or l.domain like '%.' || z.name
    group by z.name`.execute(db)
  const of = (kind: string) => new Map(rows.filter((row) => row.kind === kind).map(({ key, sites }) => [key, sites]))
  return { all: of('all').get('') ?? 0, byProvider: of('provider'), byZone: of('zone') }
}
