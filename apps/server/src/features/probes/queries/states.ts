import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus, SiteStatus } from '@agency/contract/types'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Pick<AppContext, 'db'>

export type ProbedSite = {
  id: string
  domain: string
  deploymentUrl: string | null
  healthPath: string
}

/** What the console keeps of a certificate that it saw. */
export type SeenCertificate = {
  seen_at: string
  subject: string
  issuer: string
  names: string[]
  valid_from: string
  valid_to: string
  is_trusted: boolean
  problem: string | null
}

const siteColumns = sql`s.id, s.domain, s.deployment_url as "deploymentUrl", s.health_path as "healthPath"`
/** A site that was taken offline is not looked at: what it would show is known. */
const isLookedAt = sql`s.deleted_at is null and s.at_provider in ('served', 'resuming', 'still_served')`

/** Sites that are not looked at are never due: else each claim would pass over all of them. Their return makes them so. */
export async function setAside({ db }: Db, now: Date): Promise<void> {
  await sql`
    with closed as (
      select p.site_id from site_probe_states p join sites s on s.id = p.site_id
      where p.next_at <= ${now} and not (${isLookedAt})
      for update of p skip locked for share of s skip locked
    )
    update site_probe_states p set next_at = 'infinity' from closed where p.site_id = closed.site_id
  `.execute(db)
}

/** Takes the site that is due longest, for whoever asks, until `until`; undefined when none is due. */
export async function claimDue({ db }: Db, now: Date, until: Date): Promise<ProbedSite | undefined> {
  const { rows } = await sql<ProbedSite>`
    with due as (
      select p.site_id from site_probe_states p join sites s on s.id = p.site_id
      where p.next_at <= ${now} and (p.claimed_until is null or p.claimed_until <= ${now}) and ${isLookedAt}
      order by p.next_at limit 1 for update of p skip locked
    ), claimed as (
      update site_probe_states p set claimed_until = ${until} from due where p.site_id = due.site_id
      returning p.site_id
    )
    select ${siteColumns} from claimed join sites s on s.id = claimed.site_id
  `.execute(db)
  return rows[0]
}

/** Takes one site until `until`; answers false while somebody else has it. */
export async function claimSite({ db }: Db, siteId: string, now: Date, until: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into site_probe_states as p (site_id, next_at, claimed_until) values (${siteId}, ${now}, ${until})
    on conflict (site_id) do update set claimed_until = ${until}
      where p.claimed_until is null or p.claimed_until <= ${now}
    returning site_id`.execute(db)
  return rows.length > 0
}

export async function findProbedSite(
  { db }: Db,
  id: string,
): Promise<(ProbedSite & { isLookedAt: boolean }) | undefined> {
  const { rows } = await sql<ProbedSite & { isLookedAt: boolean }>`
    select ${siteColumns}, ${isLookedAt} as "isLookedAt" from sites s where s.id = ${id} and s.deleted_at is null
  `.execute(db)
  return rows[0]
}

export async function setDue({ db }: Db, siteId: string, at: Date): Promise<void> {
  await sql`
    insert into site_probe_states (site_id, next_at) values (${siteId}, ${at})
    on conflict (site_id) do update set next_at = excluded.next_at
  `.execute(db)
}

export type LockedState = {
  health: HealthStatus
  status: SiteStatus
  inMaintenance: boolean
  failures: number
  lastAt: string | null
  wasSeen: boolean
}

/** What is known of a site before a look is kept; nobody else keeps one of it meanwhile. */
export async function lockState({ db }: Db, siteId: string, at: Date): Promise<LockedState | undefined> {
  const { rows } = await sql<LockedState>`
    select s.health_status as health, s.status, site_in_maintenance(s.id, s.status, ${at}) as "inMaintenance", p.failures, p.last ->> 'at' as "lastAt",
      p.certificate is not null as "wasSeen"
    from site_probe_states p join sites s on s.id = p.site_id
    where p.site_id = ${siteId} and s.deleted_at is null for update of p
  `.execute(db)
  return rows[0]
}

export type NewState = {
  failures: number
  /** Since when its health is what it is; null: as before. */
  since: Date | null
  last: ProbeRun
  /** null: what was seen before stays. */
  certificate: SeenCertificate | null
  nextAt: Date
}

export async function saveState({ db }: Db, siteId: string, state: NewState): Promise<void> {
  await sql`
    update site_probe_states set failures = ${state.failures}, since = coalesce(${state.since}::timestamptz, since), last = ${toJson(state.last)}::jsonb,
      certificate = coalesce(${state.certificate && toJson(state.certificate)}::jsonb, certificate),
      next_at = ${state.nextAt}, claimed_until = null
    where site_id = ${siteId}
  `.execute(db)
}

export async function saveSince({ db }: Db, siteId: string, since: Date): Promise<void> {
  await db.updateTable('site_probe_states').set({ since }).where('site_id', '=', siteId).execute()
}

export type StaleSite = { id: string; checkedAt: Date; health: HealthStatus }

/** Sites whose health was measured too long ago to be still known. */
export async function findStale({ db }: Db, before: Date): Promise<StaleSite[]> {
  const { rows } = await sql<StaleSite>`
    select id, health_checked_at as "checkedAt", health_status as health from sites
    where deleted_at is null and health_status <> 'unknown' and health_checked_at < ${before}
    order by id limit 1000
  `.execute(db)
  return rows
}
