import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

export type SiteHost = { id: string; site_name: string; domain: string; customer_name: string | null }

/** As many of them as are named where they are told. */
export const mostNamed = 100

/** All sites at a domain or below it; read backwards, so that an index finds them (`/` is the character after `.`). */
export const findSitesBelow = (pool: Pool, name: string): Promise<SiteHost[]> =>
  runStatement<SiteHost>(pool, {
    text: `select s.id, s.site_name, s.domain, s.customer_name from sites s
      where s.deleted_at is null
        and reverse(s.domain) collate "C" >= reverse($1::text) and reverse(s.domain) collate "C" < reverse($1::text) || '/'
        and (s.domain = $1 or right(s.domain, length($1) + 1) = '.' || $1)
      order by s.site_name, s.id`,
    values: [name],
  })
