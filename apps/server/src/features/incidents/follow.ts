import type { TransactionContext } from '../../context.ts'
import { type Evaluated, findByIds, gatherMs, setIncident } from '../alerts/index.ts'
import {
  countSites,
  findGrouped,
  findIncidentOfSite,
  findLoose,
  findStanding,
  type IncidentRow,
  insertEvent,
  insertEvents,
  insertIncident,
  lockIncident,
  type OpenAlert,
  patchIncident,
} from './queries/incidents.ts'
import { isWorse, severityOf } from './severity.ts'

/** Opens, groups and resolves incidents after alerts changed, in the same transaction. */
export async function followAlerts(tx: TransactionContext, evaluated: Evaluated): Promise<void> {
  await reopen(tx, evaluated.reopened)
  await openForLoose(tx)
  await joinGrouped(tx)
  await resolveOver(tx, evaluated.resolved)
}

/** An alert that came back at once brings back what ended by itself. */
async function reopen(tx: TransactionContext, alertIds: readonly string[]): Promise<void> {
  const back = Map.groupBy(await findByIds(tx, alertIds), ({ incident_id }) => incident_id)
  for (const [incidentId, alerts] of back) {
    const incident = incidentId === null ? undefined : await lockIncident(tx, incidentId)
    if (incident?.status !== 'resolved') continue
    if (incident.resolved_by !== null) {
      // A person has ended it: what comes back is another one.
      const ids = alerts.map(({ id }) => id)
      await setIncident(tx, ids, null)
      continue
    }
    await patchIncident(tx, incident.id, { status: 'open', resolved_at: null, resolved_by: null })
    await insertEvent(tx, incident.id, { kind: 'reopened', actor: null, text: `${alerts[0]?.title} again` })
  }
}

async function openForLoose(tx: TransactionContext): Promise<void> {
  const loose = await findLoose(tx, new Date(tx.clock() - gatherMs))
  if (loose.length === 0) return
  const all = await countSites(tx)
  for (const alert of loose) {
    const severity = severityOf(alert, { affected: alert.sites, all })
    if (severity === null) continue
    const going = alert.subject === 'site' ? await findIncidentOfSite(tx, alert.subject_id) : undefined
    if (!going) {
      await openFor(tx, alert, severity)
      continue
    }
    await join(tx, going, alert)
    if (isWorse(severity, going.severity)) await worsen(tx, going, severity)
  }
}

async function openFor(tx: TransactionContext, alert: OpenAlert, severity: IncidentRow['severity']): Promise<void> {
  const incident = await insertIncident(tx, {
    ...{ severity, title: alert.title },
    // An outage counts from when it was first seen.
    ...{ opened_at: alert.opened_at, opened_by: null },
  })
  await setIncident(tx, [alert.id], incident.id)
  await insertEvent(tx, incident.id, { kind: 'opened', actor: null, text: alert.title })
}

async function join(tx: TransactionContext, incident: IncidentRow, alert: Pick<OpenAlert, 'id' | 'title'>) {
  await setIncident(tx, [alert.id], incident.id)
  await insertEvent(tx, incident.id, { kind: 'alert_joined', actor: null, text: alert.title })
}

async function worsen(tx: TransactionContext, incident: IncidentRow, severity: IncidentRow['severity']): Promise<void> {
  await patchIncident(tx, incident.id, { severity })
  await insertEvent(tx, incident.id, { kind: 'severity', actor: null, text: `${incident.severity} → ${severity}` })
}

/** What is part of a larger failure belongs to its incident; one that has no other alert is merged into it. */
async function joinGrouped(tx: TransactionContext): Promise<void> {
  const left = new Map<string, string>()
  const grouped = await findGrouped(tx)
  for (const [incident, alerts] of Map.groupBy(grouped, ({ cause_incident }) => cause_incident)) {
    const ids = alerts.map(({ alert_id }) => alert_id)
    await setIncident(tx, ids, incident)
    for (const { own_incident } of alerts) if (own_incident !== null) left.set(own_incident, incident)
  }
  await insertEvents(
    tx,
    grouped.map((alert) => ({
      incident_id: alert.cause_incident,
      kind: 'alert_joined',
      actor: null,
      text: alert.title,
    })),
  )
  for (const standing of await findStanding(tx, [...left.keys()])) {
    const into = left.get(standing.id)
    if (standing.alerts > 0 || into === undefined) continue
    const target = await lockIncident(tx, into)
    await patchIncident(tx, standing.id, { status: 'merged', merged_into: into, resolved_at: new Date(tx.clock()) })
    await insertEvent(tx, standing.id, { kind: 'merged', actor: null, text: `Merged into INC-${target?.number}` })
    await insertEvent(tx, into, {
      kind: 'merged',
      actor: null,
      text: `INC-${standing.number} was merged into this one`,
    })
  }
}

async function resolveOver(tx: TransactionContext, alertIds: readonly string[]): Promise<void> {
  const ended = await findByIds(tx, alertIds)
  const touched = new Set(ended.flatMap(({ incident_id }) => incident_id ?? []))
  const over = ended.flatMap(({ incident_id, subject, resolved_by, title }) =>
    incident_id === null || subject === 'sites'
      ? []
      : { incident_id, kind: 'alert_resolved' as const, actor: resolved_by, text: title },
  )
  await insertEvents(tx, over)
  for (const { id, active } of await findStanding(tx, [...touched])) {
    if (active > 0) continue
    await patchIncident(tx, id, { status: 'resolved', resolved_at: new Date(tx.clock()), resolved_by: null })
    await insertEvent(tx, id, { kind: 'resolved', actor: null, text: 'All alerts have ended' })
  }
}
