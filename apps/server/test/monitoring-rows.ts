import { randomUUID } from 'node:crypto'
import type { TestContext } from './context.ts'

type Look = { at: number; health?: string; ms?: number; maintenance?: boolean }

export async function addLooks({ ctx }: TestContext, site: string, looks: readonly Look[]): Promise<void> {
  const rows = looks.map(({ at, health = 'healthy', ms = 100, maintenance = false }) => ({
    ...{ site_id: site, at: new Date(at), health, in_maintenance: maintenance, is_failure: health === 'down' },
    ...{ status_code: 200, total_ms: health === 'down' ? null : ms, ttfb_ms: health === 'down' ? null : ms / 2 },
    good_for_s: 150,
  }))
  await ctx.pool.query('insert into site_probes select * from json_populate_recordset(null::site_probes, $1::json)', [
    JSON.stringify(rows),
  ])
}

/** One look at every step of the span. */
export const every = (step: number, from: number, to: number, look: Omit<Look, 'at'> = {}): Look[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => ({ at: from + index * step, ...look }))

type Check = { at: number; status?: string; key?: string }

export async function addChecks({ ctx }: TestContext, checks: readonly Check[]): Promise<void> {
  const rows = checks.map(({ at, status = 'healthy', key = 'database' }) => ({ key, at: new Date(at), status }))
  await ctx.pool.query(
    'insert into service_checks select * from json_populate_recordset(null::service_checks, $1::json)',
    [JSON.stringify(rows)],
  )
}

type AlertRow = {
  subject?: string
  subject_id?: string
  severity?: string
  status?: string
  cause_id?: string
}

export async function addAlert({ ctx, clock }: TestContext, alert: AlertRow): Promise<string> {
  const id = randomUUID()
  const { subject = 'site', subject_id = 'none', severity = 'error', status = 'open', cause_id = null } = alert
  await ctx.pool.query(
    `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, cause_id, opened_at,
       last_seen_at, snoozed_until, resolved_at)
     values ($1, $1, $2, $3, '', $4, $5, 'Alert', '', $6, $7::timestamptz, $7::timestamptz,
       case when $5::text = 'snoozed' then $7::timestamptz end, case when $5::text = 'resolved' then $7::timestamptz end)`,
    [id, subject, subject_id, severity, status, cause_id, new Date(clock.now())],
  )
  return id
}

type IncidentRow = {
  number: number
  title?: string
  assignee_id?: string
  is_false_positive?: boolean
  merged_into?: string
}

export async function addIncident({ ctx, clock }: TestContext, incident: IncidentRow): Promise<string> {
  const id = randomUUID()
  const {
    number,
    title = `Incident ${number}`,
    assignee_id = null,
    is_false_positive = false,
    merged_into = null,
  } = incident
  await ctx.pool.query(
    `insert into incidents (id, number, severity, status, title, opened_at, assignee_id, is_false_positive, merged_into, resolved_at)
     overriding system value
     values ($1, $2, 'sev2', case when $7::text is null then 'open' else 'merged' end, $3, $4::timestamptz, $5, $6, $7,
       case when $7::text is not null then $4::timestamptz end)`,
    [id, number, title, new Date(clock.now() + number), assignee_id, is_false_positive, merged_into],
  )
  return id
}

export async function addMinutes(
  { ctx }: TestContext,
  metric: string,
  minutes: readonly { at: number; value: number; max?: number }[],
): Promise<void> {
  const rows = minutes.map(({ at, value, max = value }) => ({ metric, minute: new Date(at), value, max }))
  await ctx.pool.query(
    'insert into metric_minutes select * from json_populate_recordset(null::metric_minutes, $1::json)',
    [JSON.stringify(rows)],
  )
}
