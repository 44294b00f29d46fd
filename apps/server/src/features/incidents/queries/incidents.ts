import { randomUUID } from 'node:crypto'
import type { IncidentEvent } from '@agency/contract/incidents'
import type { IncidentSeverity, IncidentStatus } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'
import { type AlertRow, findByIds } from '../../alerts/index.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db' | 'clock'>

export type IncidentRow = {
  id: string
  number: number
  severity: IncidentSeverity
  status: IncidentStatus
  title: string
  opened_at: Date
  opened_by: string | null
  resolved_at: Date | null
  resolved_by: string | null
  assignee_id: string | null
  is_false_positive: boolean
  merged_into: string | null
  postmortem: string | null
  version: number
}

const columns = sql`id, number, severity, status, title, opened_at, opened_by, resolved_at, resolved_by, assignee_id,
  is_false_positive, merged_into, postmortem, version`

export async function lockIncident({ db }: Db, id: string): Promise<IncidentRow | undefined> {
  const { rows } = await sql<IncidentRow>`select ${columns} from incidents where id = ${id} for update`.execute(db)
  return rows[0]
}

export async function findIncidentRow({ db }: Db, id: string): Promise<IncidentRow | undefined> {
  const { rows } = await sql<IncidentRow>`select ${columns} from incidents where id = ${id}`.execute(db)
  return rows[0]
}

type NewIncident = Pick<IncidentRow, 'severity' | 'title' | 'opened_at' | 'opened_by'>

export async function insertIncident({ db }: Db, incident: NewIncident): Promise<IncidentRow> {
  const { rows } = await sql<IncidentRow>`
    insert into incidents (id, severity, status, title, opened_at, opened_by)
    values (${`incident_${randomUUID()}`}, ${incident.severity}, 'open', ${incident.title}, ${incident.opened_at},
      ${incident.opened_by})
    returning ${columns}`.execute(db)
  return rows[0]!
}

type Patch = Partial<Omit<IncidentRow, 'id' | 'number' | 'version'>>

/** Every change makes a new version. */
export async function patchIncident({ db }: Pick<TransactionContext, 'db'>, id: string, patch: Patch): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ ...patch, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

export async function insertEvent(
  { db, clock }: Tx,
  incidentId: string,
  { kind, actor, text }: Pick<IncidentEvent, 'kind' | 'actor' | 'text'>,
): Promise<IncidentEvent> {
  const { rows } = await sql<IncidentEvent>`
    insert into incident_events (id, incident_id, at, kind, actor, text)
    values (${randomUUID()}, ${incidentId}, ${new Date(clock())}, ${kind}, ${actor}, ${text})
    returning id, iso_utc(at) as at, kind, actor, text`.execute(db)
  return rows[0]!
}

/** In the order in which they are given. */
export async function insertEvents(
  { db, clock }: Tx,
  events: readonly (Pick<IncidentEvent, 'kind' | 'actor' | 'text'> & { incident_id: string })[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({ ...event, id: randomUUID() }))
  await sql`
    insert into incident_events (id, incident_id, at, kind, actor, text)
    select e.id, e.incident_id, ${new Date(clock())}, e.kind, e.actor, e.text
    from jsonb_array_elements(${toJson(rows)}::jsonb) with ordinality as given(value, place),
      jsonb_populate_record(null::incident_events, given.value) e
    order by place`.execute(db)
}

export async function findEvent({ db }: Db, id: string): Promise<IncidentEvent | undefined> {
  const { rows } = await sql<IncidentEvent>`
    select id, iso_utc(at) as at, kind, actor, text from incident_events where id = ${id}`.execute(db)
  return rows[0]
}

export type OpenAlert = {
  id: string
  rule: string
  subject: string
  subject_id: string
  title: string
  opened_at: Date
  incident_id: string | null
  cause_id: string | null
  sites: number
}

/** Alerts that may need an incident: they stand, nobody meant them, and a common cause had time to be seen. */
export async function findLoose({ db }: Db, gathered: Date): Promise<OpenAlert[]> {
  const { rows } = await sql<OpenAlert>`
    select a.id, a.rule, a.subject, a.subject_id, a.title, a.opened_at, a.incident_id, a.cause_id,
      (select count(*) from alert_sites t where t.alert_id = a.id) as sites
    from alerts a
    where a.status <> 'resolved' and a.incident_id is null and a.cause_id is null and not a.is_silenced
      and (a.subject <> 'site' or a.opened_at <= ${gathered})
    order by a.opened_at, a.id`.execute(db)
  return rows
}

/** The incident that goes on about the same site, opened by the console. */
export async function findIncidentOfSite({ db }: Db, siteId: string): Promise<IncidentRow | undefined> {
  const { rows } = await sql<IncidentRow>`
    select ${columns} from incidents i
    where i.resolved_at is null and exists (
      select from alerts a where a.incident_id = i.id and a.subject = 'site' and a.subject_id = ${siteId}
        and a.status <> 'resolved'
    )
    order by i.opened_at limit 1`.execute(db)
  return rows[0]
}

export async function countSites({ db }: Db): Promise<number> {
  const { rows } = await sql<{ sites: number }>`
    select count(*) as sites from sites
    where deleted_at is null and at_provider in ('served', 'resuming', 'still_served')`.execute(db)
  return rows[0]?.sites ?? 0
}

export type Grouped = { alert_id: string; cause_incident: string; own_incident: string | null; title: string }

/** Alerts that are part of a larger failure, whose incident they do not belong to yet. */
export async function findGrouped({ db }: Db): Promise<Grouped[]> {
  const { rows } = await sql<Grouped>`
    select a.id as alert_id, c.incident_id as cause_incident, a.incident_id as own_incident, a.title
    from alerts a join alerts c on c.id = a.cause_id
    where a.status <> 'resolved' and c.incident_id is not null and a.incident_id is distinct from c.incident_id
    order by a.opened_at, a.id`.execute(db)
  return rows
}

export type Standing = { id: string; number: number; title: string; alerts: number; active: number }

/** Of these incidents, or of all that are not over: how many of their alerts still stand. */
export async function findStanding({ db }: Db, ids: readonly string[]): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select i.id, i.number, i.title, count(a.id) as alerts, count(a.id) filter (where a.status <> 'resolved') as active
    from incidents i left join alerts a on a.incident_id = i.id
    where i.resolved_at is null and i.id = any(${[...ids]}::text[])
    group by i.id, i.number, i.title order by i.number`.execute(db)
  return rows
}

/** The ids of its alerts, with the rest of them, oldest first. */
export async function findAlertsOf(ctx: Db, incidentId: string): Promise<AlertRow[]> {
  const { rows } = await sql<{ id: string }>`
    select id from alerts where incident_id = ${incidentId} order by opened_at, id`.execute(ctx.db)
  return findByIds(
    ctx,
    rows.map(({ id }) => id),
  )
}
