import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Condition, RulesInForce } from '../condition.ts'

type Row = { domain: string; expiresAt: Date; registrar: string | null; siteIds: string[] }

const dayMs = 86_400_000

async function findExpiring({ db }: AppContext, before: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.domain, d.expires_at as "expiresAt", d.registrar, array_agg(s.id order by s.id) as "siteIds"
    from registered_domains d join site_registrations r on r.domain = d.domain join sites s on s.id = r.site_id
    where d.expires_at < ${before} and s.deleted_at is null and r.host = s.domain
    group by d.domain, d.expires_at, d.registrar order by d.domain
  `.execute(db)
  return rows
}

function wordsOf({ domain, expiresAt }: Row, now: number): string {
  const days = Math.floor((expiresAt.getTime() - now) / dayMs)
  if (days < 0) return `The domain ${domain} has expired`
  if (days === 0) return `The domain ${domain} expires within a day`
  return `The domain ${domain} expires in ${days} ${days === 1 ? 'day' : 'days'}`
}

/** One domain is one condition, however many sites stand on it; the nearer rule takes the place of the other. */
export async function findDomainConditions(ctx: AppContext, rules: RulesInForce): Promise<Condition[]> {
  const now = ctx.clock()
  const soon = rules.get('domain.expires_soon')?.value ?? 0
  const later = rules.get('domain.expires')?.value ?? 0
  const rows = await findExpiring(ctx, new Date(now + Math.max(soon, later) * dayMs))
  return rows.map((row) => {
    const isSoon = row.expiresAt.getTime() < now + soon * dayMs
    return {
      rule: isSoon ? 'domain.expires_soon' : 'domain.expires',
      subject: 'sites' as const,
      ...{ subjectId: row.domain, subjectName: row.domain, title: wordsOf(row, now) },
      detail: `Registered until ${row.expiresAt.toISOString().slice(0, 10)}${row.registrar ? ` with ${row.registrar}` : ''}`,
      link: `/admin/sites?open=${encodeURIComponent(row.siteIds[0] ?? '')}&tab=configuration`,
      siteIds: row.siteIds,
    }
  })
}
