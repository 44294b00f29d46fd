import type { CheckSettings } from '@agency/contract/checks'
import type { ProbeRun } from '@agency/contract/probes'
import type { HealthStatus, SiteStatus } from '@agency/contract/types'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'
import { leaseSecondsOf, settingsOf, takeOverS, usualLeaseS, usualSettings } from '../check-settings.ts'
import type { MissingCalls } from '../heartbeat-rule.ts'
import type { LookedAt } from '../look.ts'

type Db = Pick<AppContext, 'db'>

export type ProbedSite = LookedAt & { id: string }

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

const siteColumns = sql`s.id, s.domain, s.deployment_url as "deploymentUrl", s.health_path as "healthPath", c.settings`
type SiteColumns = Omit<ProbedSite, 'settings'> & { settings: Partial<CheckSettings> | null }
const siteOf = <Row extends SiteColumns>(row: Row) => ({ ...row, settings: settingsOf(row.settings) })
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

/** Takes up to `most` of the sites that are due, those that are due longest first; each until its lease ends. */
export async function claimDue({ db }: Db, now: Date, most: number): Promise<ProbedSite[]> {
  const { rows } = await sql<SiteColumns>`
    with due as (
      select p.site_id from site_probe_states p join sites s on s.id = p.site_id
      where p.next_at <= ${now} and (p.claimed_until is null or p.claimed_until <= ${now}) and ${isLookedAt}
      order by p.next_at limit ${most} for update of p skip locked
    ), claimed as (
      update site_probe_states p
      set claimed_until = ${now}::timestamptz + make_interval(secs => coalesce(c.lease_s, ${usualLeaseS}) - ${takeOverS})
      from due left join site_checks c on c.site_id = due.site_id where p.site_id = due.site_id
      returning p.site_id
    )
    select ${siteColumns} from claimed join sites s on s.id = claimed.site_id left join site_checks c on c.site_id = s.id
  `.execute(db)
  return rows.map(siteOf)
}

/** Takes one site; answers false while somebody else has it. */
export async function claimSite({ db }: Db, { id, settings }: ProbedSite, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + 1000 * (leaseSecondsOf(settings) - takeOverS))
  const { rows } = await sql`
    insert into site_probe_states as p (site_id, next_at, claimed_until) values (${id}, ${now}, ${until})
    on conflict (site_id) do update set claimed_until = ${until}
      where p.claimed_until is null or p.claimed_until <= ${now}
    returning site_id`.execute(db)
  return rows.length > 0
}

/** Gives back what was taken and not looked at: it stays due. */
export async function releaseSites({ db }: Db, ids: readonly string[]): Promise<void> {
  await sql`update site_probe_states set claimed_until = null where site_id = any(${ids}::text[])`.execute(db)
}

/** Some others that answered last time are looked at now, to tell whether it is the site that fails or the console. */
export async function pullForward({ db }: Db, siteId: string, now: Date, most: number): Promise<void> {
  await sql`
    with others as (
      select p.site_id from site_probe_states p
      where p.site_id <> ${siteId} and p.next_at > ${now} and p.next_at < 'infinity' and p.claimed_until is null
        and p.failures = 0
      order by p.next_at limit ${most} for update skip locked
    )
    update site_probe_states p set next_at = ${now} from others where p.site_id = others.site_id
  `.execute(db)
}

export async function findProbedSite(
  { db }: Db,
  id: string,
): Promise<(ProbedSite & { isLookedAt: boolean }) | undefined> {
  const { rows } = await sql<SiteColumns & { isLookedAt: boolean }>`
    select ${siteColumns}, ${isLookedAt} as "isLookedAt" from sites s left join site_checks c on c.site_id = s.id
    where s.id = ${id} and s.deleted_at is null
  `.execute(db)
  return rows[0] && siteOf(rows[0])
}

/** Whoever keeps a look locks this first, and the site after it: so does whoever changes how it is looked at. */
export async function lockLooks({ db }: Db, siteId: string): Promise<void> {
  await sql`select from site_probe_states where site_id = ${siteId} for update`.execute(db)
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
  recent: number
  lastAt: string | null
  wasSeen: boolean
  missing: MissingCalls | null
}

/** What is known of a site before a look is kept; nobody else keeps one of it meanwhile. */
export async function lockState({ db }: Db, siteId: string, at: Date): Promise<LockedState | undefined> {
  type Row = Omit<LockedState, 'missing'> & MissingColumns
  const { rows } = await sql<Row>`
    select s.health_status as health, s.status, site_in_maintenance(s.id, s.status, ${at}) as "inMaintenance", p.failures, p.recent,
      p.last ->> 'at' as "lastAt",
      p.certificate is not null as "wasSeen", h.on_at as "onAt", h.last_at as "calledAt",
      h.every_minutes as "everyMinutes", h.when_missing as "whenMissing"
    from site_probe_states p join sites s on s.id = p.site_id
    left join site_heartbeats h on h.site_id = p.site_id and h.is_on and h.due_at <= ${at}
    where p.site_id = ${siteId} and s.deleted_at is null for update of p
  `.execute(db)
  return rows[0] && { ...rows[0], missing: missingOf(rows[0]) }
}

type MissingColumns = {
  onAt: Date | null
  calledAt: Date | null
  everyMinutes: number | null
  whenMissing: MissingCalls['whenMissing'] | null
}

function missingOf({ onAt, calledAt, everyMinutes, whenMissing }: MissingColumns): MissingCalls | null {
  if (onAt === null || everyMinutes === null || whenMissing === null) return null
  const hasCalled = calledAt !== null && calledAt >= onAt
  return { since: hasCalled ? calledAt : onAt, hasCalled, everyMinutes, whenMissing }
}

export type NewState = {
  failures: number
  recent: number
  /** Since when its health is what it is; null: as before. */
  since: Date | null
  last: ProbeRun
  /** null: what was seen before stays. */
  certificate: SeenCertificate | null
  nextAt: Date
}

export async function saveState({ db }: Db, siteId: string, state: NewState): Promise<void> {
  await sql`
    update site_probe_states set failures = ${state.failures}, recent = ${state.recent}, since = coalesce(${state.since}::timestamptz, since), last = ${toJson(state.last)}::jsonb,
      certificate = coalesce(${state.certificate && toJson(state.certificate)}::jsonb, certificate),
      next_at = ${state.nextAt}, claimed_until = null
    where site_id = ${siteId}
  `.execute(db)
}

export async function saveSince({ db }: Db, siteId: string, since: Date): Promise<void> {
  await db.updateTable('site_probe_states').set({ since }).where('site_id', '=', siteId).execute()
}

export type StaleSite = { id: string; checkedAt: Date; health: HealthStatus; knownUntil: Date }

/** As `goodForSecondsOf` has it. */
const goodFor = sql`make_interval(secs => 2 * coalesce(c.interval_s, ${usualSettings.interval_seconds}) + 30)`

/** Sites whose health was measured too long ago to be still known, by the intervals of each. */
export async function findStale({ db }: Db, now: Date): Promise<StaleSite[]> {
  const { rows } = await sql<StaleSite>`
    select id, health_checked_at as "checkedAt", health_status as health,
      health_checked_at + ${goodFor} as "knownUntil"
    from sites s left join site_checks c on c.site_id = s.id
    where deleted_at is null and health_status <> 'unknown' and health_checked_at < ${now}::timestamptz - ${goodFor}
    order by id limit 1000
  `.execute(db)
  return rows
}
