import type { CheckSettings } from '@agency/contract/checks'
import type { ProbeRun, SitePerformance } from '@agency/contract/probes'
import type { HealthStatus } from '@agency/contract/types'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { settingsOf } from '../check-settings.ts'
import { countedHealth } from './counted.ts'
import { spansOf } from './history.ts'
import type { SeenCertificate } from './states.ts'

type Db = Pick<AppContext, 'db'>

export type SiteFacts = {
  createdAt: Date
  health: HealthStatus
  detail: string | null
  checkedAt: Date | null
  responseMs: number | null
  score: number | null
  scoredAt: Date | null
  last: ProbeRun | null
  certificate: SeenCertificate | null
  settings: CheckSettings
}

export async function findSiteFacts({ db }: Db, siteId: string): Promise<SiteFacts | undefined> {
  const { rows } = await sql<Omit<SiteFacts, 'settings'> & { settings: Partial<CheckSettings> | null }>`
    select s.created_at as "createdAt", s.health_status as health, s.health_detail as detail,
      s.health_checked_at as "checkedAt", s.response_ms as "responseMs", s.performance_score as score,
      s.scored_at as "scoredAt", p.last, p.certificate, c.settings
    from sites s left join site_probe_states p on p.site_id = s.id left join site_checks c on c.site_id = s.id
    where s.id = ${siteId} and s.deleted_at is null
  `.execute(db)
  return rows[0] && { ...rows[0], settings: settingsOf(rows[0].settings) }
}

export type Span = {
  at: Date
  probes: number
  failures: number
  response_ms: number | null
  ttfb_ms: number | null
  score: number | null
  known_seconds: number
  down_seconds: number
  maintenance_seconds: number
}

/** From the probes themselves. */
export async function findSpans({ db }: Db, siteId: string, from: Date, to: Date, stepS: number): Promise<Span[]> {
  const spans = spansOf(sql`r.site_id = ${siteId}`, from, to, stepS, countedHealth)
  const { rows } = await sql<Span>`
    select span as at, probes, failures, response_ms, ttfb_ms, score, known_seconds, down_seconds, maintenance_seconds
    from (${spans}) spans order by span
  `.execute(db)
  return rows
}

/** From whole hours, and from the probes for the hours that are not made yet. */
export async function findHourlySpans(
  { db }: Db,
  siteId: string,
  { from, rolledUntil, to, stepS }: { from: Date; rolledUntil: Date; to: Date; stepS: number },
): Promise<Span[]> {
  const rest = spansOf(sql`r.site_id = ${siteId}`, rolledUntil, to, 3600, countedHealth)
  const { rows } = await sql<Span>`
    select to_timestamp(floor(extract(epoch from hour) / ${stepS}::integer) * ${stepS}::integer) as at,
      sum(probes)::integer as probes, sum(failures)::integer as failures,
      percentile_cont(0.5) within group (order by response_ms) as response_ms,
      percentile_cont(0.5) within group (order by ttfb_ms) as ttfb_ms,
      (array_agg(score order by hour desc) filter (where score is not null))[1] as score,
      sum(known_seconds)::integer as known_seconds, sum(down_seconds)::integer as down_seconds,
      sum(maintenance_seconds)::integer as maintenance_seconds
    from (
      select hour, probes, failures, response_ms, ttfb_ms, score, known_seconds, down_seconds, maintenance_seconds
      from counted_site_hours where site_id = ${siteId} and hour >= ${from} and hour < ${rolledUntil}
      union all
      select span, probes, failures, response_ms, ttfb_ms, score, known_seconds, down_seconds, maintenance_seconds
      from (${rest}) spans
    ) hours
    group by 1 order by 1
  `.execute(db)
  return rows
}

export type DeploymentMark = { id: string; at: Date; kind: string; status: string; version: string | null }

const mostMarks = 100

/** The newest that ended in the span, oldest first. */
export async function findDeploymentMarks({ db }: Db, siteId: string, from: Date, to: Date): Promise<DeploymentMark[]> {
  const { rows } = await sql<DeploymentMark>`
    select id, completed_at as at, kind, status, version from deployments
    where site_id = ${siteId} and completed_at >= ${from} and completed_at <= ${to} and status <> 'cancelled'
    order by completed_at desc, id desc limit ${mostMarks}
  `.execute(db)
  return rows.reverse()
}

export type IncidentMark = Omit<SitePerformance['incidents'][number], 'opened_at' | 'resolved_at'> & {
  opened_at: Date
  resolved_at: Date | null
}

/** The newest that were open in the span and concern the site, oldest first. */
export async function findIncidentMarks({ db }: Db, siteId: string, from: Date, to: Date): Promise<IncidentMark[]> {
  const { rows } = await sql<IncidentMark>`
    select i.id, i.number, i.title, i.severity, i.opened_at, i.resolved_at, i.is_false_positive from incidents i
    where i.merged_into is null and i.opened_at <= ${to} and coalesce(i.resolved_at, 'infinity') >= ${from}
      and i.id in (
        select a.incident_id from alert_sites t join alerts a on a.id = t.alert_id where t.site_id = ${siteId}
      )
    order by i.opened_at desc, i.number desc limit ${mostMarks}
  `.execute(db)
  return rows.reverse()
}
