import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

export type DueHost = { siteId: string; host: string }

/** Sites whose registered domain is not found out, or is that of a name they had before. */
export async function findDueHosts({ db }: Db, now: Date, most: number): Promise<DueHost[]> {
  const { rows } = await sql<DueHost>`
    select s.id as "siteId", s.domain as host from sites s left join site_registrations r on r.site_id = s.id
    where s.deleted_at is null and (r.site_id is null or r.host <> s.domain or (r.domain is null and r.next_at <= ${now}))
    order by s.id limit ${most}
  `.execute(db)
  return rows
}

/** The shortest of these that is known to be registered. */
export async function findKnownDomain({ db }: Db, candidates: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ domain: string }>`
    select domain from registered_domains where domain = any(${candidates}::text[]) order by length(domain) limit 1
  `.execute(db)
  return rows[0]?.domain
}

export async function saveHost(
  { db }: Db,
  { siteId, host }: DueHost,
  found: { domain: string | null; problem: string | null; nextAt: Date },
): Promise<void> {
  await sql`
    insert into site_registrations (site_id, host, domain, problem, next_at)
    values (${siteId}, ${host}, ${found.domain}, ${found.problem}, ${found.nextAt})
    on conflict (site_id) do update set host = excluded.host, domain = excluded.domain, problem = excluded.problem,
      next_at = excluded.next_at
  `.execute(db)
}

export async function findDueDomains({ db }: Db, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select d.domain from registered_domains d
    where d.next_at <= ${now} and exists (
      select from site_registrations r join sites s on s.id = r.site_id
      where r.domain = d.domain and s.deleted_at is null
    )
    order by d.next_at limit ${most}
  `.execute(db)
  return rows.map(({ domain }) => domain)
}

export type SeenDomain = {
  domain: string
  expiresAt: Date | null
  registrar: string | null
  at: Date
  nextAt: Date
}

export async function saveDomain({ db }: Db, seen: SeenDomain): Promise<void> {
  await sql`
    insert into registered_domains (domain, expires_at, registrar, problem, checked_at, next_at)
    values (${seen.domain}, ${seen.expiresAt}, ${seen.registrar}, null, ${seen.at}, ${seen.nextAt})
    on conflict (domain) do update set expires_at = excluded.expires_at, registrar = excluded.registrar, problem = null,
      checked_at = excluded.checked_at, next_at = excluded.next_at
  `.execute(db)
}

/** The look told nothing: what was known stays, with the reason. */
export async function saveProblem({ db }: Db, domain: string, problem: string, nextAt: Date): Promise<void> {
  await sql`update registered_domains set problem = ${problem}, next_at = ${nextAt} where domain = ${domain}`.execute(
    db,
  )
}

export type ShownRegistration = {
  domain: string | null
  expiresAt: Date | null
  registrar: string | null
  checkedAt: Date | null
  problem: string | null
}

export async function findRegistration({ db }: Db, siteId: string): Promise<ShownRegistration | undefined> {
  const { rows } = await sql<ShownRegistration>`
    select r.domain, d.expires_at as "expiresAt", d.registrar, d.checked_at as "checkedAt",
      coalesce(d.problem, r.problem) as problem
    from sites s left join site_registrations r on r.site_id = s.id and r.host = s.domain
    left join registered_domains d on d.domain = r.domain
    where s.id = ${siteId} and s.deleted_at is null
  `.execute(db)
  return rows[0]
}
