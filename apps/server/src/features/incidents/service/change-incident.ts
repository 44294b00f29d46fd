import type { BodyOf } from '@agency/contract/endpoint'
import type { Incident, IncidentEvent, openIncident, splitIncident, updateIncident } from '@agency/contract/incidents'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { type AlertRow, findByIds, findPersonName, lockAlerts, resolveAll, setIncident } from '../../alerts/index.ts'
import { recountFalseAlarms } from '../../monitoring/index.ts'
import {
  findAlertsOf,
  type IncidentRow,
  insertEvent,
  insertIncident,
  lockIncident,
  patchIncident,
} from '../queries/incidents.ts'
import { getIncident } from './get-incident.ts'

export const labelOf = ({ number, title }: Pick<IncidentRow, 'number' | 'title'>) => `INC-${number} ${title}`

export async function lockOpen(tx: TransactionContext, id: string): Promise<IncidentRow> {
  // As the evaluation does it, so that neither waits for the other's rows.
  await lockAlerts(tx)
  const incident = await lockIncident(tx, id)
  if (!incident) throw notFound(`Incident ${id}`)
  if (incident.status === 'merged')
    throw new AppError('conflict', 'This incident was merged into another one. Nothing was changed.')
  return incident
}

async function findAll(tx: TransactionContext, ids: readonly string[]): Promise<AlertRow[]> {
  const wanted = [...new Set(ids)]
  const alerts = await findByIds(tx, wanted)
  if (alerts.length < wanted.length) throw invalidParameter('alert_ids', 'names an alert that does not exist')
  return alerts
}

/** What a false positive has taken out of the figures comes or goes with its alerts. */
async function move(tx: TransactionContext, alerts: readonly AlertRow[], incidentId: string): Promise<void> {
  const ids = alerts.map((alert) => alert.id)
  await setIncident(tx, ids, incidentId)
  await recountFalseAlarms(tx, ids)
}

/** Opens one by hand; its alerts leave the incident that they belonged to. */
export async function openByHand(
  ctx: RequestContext,
  { title, severity, alert_ids }: BodyOf<typeof openIncident>,
  claim: Claim | null,
): Promise<Incident> {
  const id = await inTransaction(ctx, async (tx) => {
    await lockAlerts(tx)
    const alerts = await findAll(tx, alert_ids)
    const incident = await insertIncident(tx, {
      ...{ severity, title, opened_at: new Date(tx.clock()), opened_by: ctx.actor.name },
    })
    await bindKey(tx, claim, incident.id)
    await move(tx, alerts, incident.id)
    await insertEvent(tx, incident.id, { kind: 'opened', actor: ctx.actor.name, text: title })
    for (const alert of alerts)
      await insertEvent(tx, incident.id, { kind: 'alert_joined', actor: ctx.actor.name, text: alert.title })
    await recordAudit(tx, {
      ...{ action: 'incident.open', resource: 'incident', id: incident.id },
      after: { name: labelOf(incident), severity, alerts: alerts.map((alert) => alert.title) },
    })
    return incident.id
  })
  return getIncident(ctx, id)
}

type Update = BodyOf<typeof updateIncident>

/** The parts of a change, each with its line in the timeline. */
async function planChange(
  tx: TransactionContext,
  before: IncidentRow,
  body: Update,
): Promise<{ patch: Parameters<typeof patchIncident>[2]; events: Pick<IncidentEvent, 'kind' | 'text'>[] }> {
  const patch: Parameters<typeof patchIncident>[2] = {}
  const events: Pick<IncidentEvent, 'kind' | 'text'>[] = []
  if (body.title !== undefined && body.title !== before.title) {
    patch.title = body.title
    events.push({ kind: 'title', text: `${before.title} → ${body.title}` })
  }
  if (body.severity !== undefined && body.severity !== before.severity) {
    patch.severity = body.severity
    events.push({ kind: 'severity', text: `${before.severity} → ${body.severity}` })
  }
  if (body.assignee_id !== undefined && body.assignee_id !== before.assignee_id) {
    const name = body.assignee_id === null ? null : await findPersonName(tx, body.assignee_id)
    if (name === undefined) throw invalidParameter('assignee_id', 'is not an active administrator')
    patch.assignee_id = body.assignee_id
    events.push({ kind: 'assigned', text: name === null ? 'Assigned to nobody' : `Assigned to ${name}` })
  }
  if (body.is_false_positive !== undefined && body.is_false_positive !== before.is_false_positive) {
    patch.is_false_positive = body.is_false_positive
    const text = body.is_false_positive ? 'Marked as a false positive: not counted in reports' : 'Counts again'
    events.push({ kind: 'false_positive', text })
  }
  if (body.status !== undefined && body.status !== before.status) {
    const isOver = body.status === 'resolved'
    const wasOver = before.status === 'resolved'
    Object.assign(patch, {
      status: body.status,
      resolved_at: isOver ? new Date(tx.clock()) : null,
      resolved_by: isOver ? tx.actor.name : null,
    })
    const kind = isOver ? 'resolved' : wasOver ? 'reopened' : 'status'
    events.push({ kind, text: `${before.status} → ${body.status}` })
  }
  return { patch, events }
}

export async function update(ctx: RequestContext, id: string, body: Update): Promise<Incident> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockOpen(tx, id)
    if (before.version !== body.version)
      throw new AppError('conflict', 'Someone else changed this incident. Nothing was saved.', {
        parameter: 'version',
      })
    const { patch, events } = await planChange(tx, before, body)
    if (events.length === 0) return
    await patchIncident(tx, id, patch)
    for (const event of events) await insertEvent(tx, id, { ...event, actor: ctx.actor.name })
    const alerts = await findAlertsOf(tx, id)
    if (body.status === 'resolved') await resolveAll(tx, alerts, `Resolved with INC-${before.number}`)
    if (patch.is_false_positive !== undefined)
      await recountFalseAlarms(
        tx,
        alerts.map((alert) => alert.id),
      )
    const { version: _, ...after } = body
    await recordAudit(tx, {
      ...{ action: 'incident.update', resource: 'incident', id },
      before: { name: labelOf(before), severity: before.severity, status: before.status },
      after,
    })
  })
  return getIncident(ctx, id)
}

export async function addNote(
  ctx: RequestContext,
  id: string,
  text: string,
  claim: Claim | null,
): Promise<{ event: IncidentEvent }> {
  return inTransaction(ctx, async (tx) => {
    const incident = await lockOpen(tx, id)
    const event = await insertEvent(tx, id, { kind: 'note', actor: ctx.actor.name, text })
    await bindKey(tx, claim, event.id)
    await recordAudit(tx, {
      ...{ action: 'incident.note', resource: 'incident', id },
      after: { name: labelOf(incident), text },
    })
    return { event }
  })
}

/** The other one goes on for both; the timeline of each stays where it is. */
export async function merge(ctx: RequestContext, id: string, into: string): Promise<Incident> {
  if (id === into) throw invalidParameter('into', 'is the incident itself')
  await inTransaction(ctx, async (tx) => {
    const incident = await lockOpen(tx, id)
    const target = await lockIncident(tx, into)
    if (!target) throw invalidParameter('into', 'is not an incident')
    if (target.resolved_at !== null)
      throw new AppError(
        'conflict',
        `INC-${target.number} has ended. Reopen the incident first, or merge the other way.`,
      )
    const alerts = await findAlertsOf(tx, id)
    await move(tx, alerts, into)
    const actor = ctx.actor.name
    await patchIncident(tx, id, {
      status: 'merged',
      merged_into: into,
      resolved_at: new Date(tx.clock()),
      resolved_by: actor,
    })
    await insertEvent(tx, id, { kind: 'merged', actor, text: `Merged into INC-${target.number}` })
    await insertEvent(tx, into, { kind: 'merged', actor, text: `INC-${incident.number} was merged into this one` })
    await patchIncident(tx, into, {})
    await recordAudit(tx, {
      ...{ action: 'incident.merge', resource: 'incident', id },
      ...{ before: { name: labelOf(incident) }, after: { name: labelOf(target) } },
    })
  })
  return getIncident(ctx, into)
}

export async function split(
  ctx: RequestContext,
  id: string,
  { alert_ids, title }: BodyOf<typeof splitIncident>,
  claim: Claim | null,
): Promise<Incident> {
  const newId = await inTransaction(ctx, async (tx) => {
    const incident = await lockOpen(tx, id)
    const alerts = await findAll(tx, alert_ids)
    if (alerts.some((alert) => alert.incident_id !== id))
      throw invalidParameter('alert_ids', 'names an alert of another incident')
    if (alerts.length === (await findAlertsOf(tx, id)).length)
      throw new AppError('conflict', 'Leave at least one alert in this incident. Nothing was changed.')
    const actor = ctx.actor.name
    const opened_at = new Date(Math.min(...alerts.map((alert) => alert.opened_at.getTime())))
    const made = await insertIncident(tx, { severity: incident.severity, title, opened_at, opened_by: actor })
    await bindKey(tx, claim, made.id)
    await move(tx, alerts, made.id)
    await insertEvent(tx, made.id, { kind: 'split', actor, text: `Split from INC-${incident.number}` })
    for (const alert of alerts) await insertEvent(tx, made.id, { kind: 'alert_joined', actor, text: alert.title })
    await insertEvent(tx, id, {
      kind: 'split',
      actor,
      text: `${alerts.length} alerts were split into INC-${made.number}`,
    })
    await patchIncident(tx, id, {})
    await recordAudit(tx, {
      ...{ action: 'incident.split', resource: 'incident', id },
      ...{
        before: { name: labelOf(incident) },
        after: { name: labelOf(made), alerts: alerts.map((one) => one.title) },
      },
    })
    return made.id
  })
  return getIncident(ctx, newId)
}

export async function savePostmortem(
  ctx: RequestContext,
  id: string,
  { markdown, version }: { markdown: string; version: number },
): Promise<{ version: number }> {
  return inTransaction(ctx, async (tx) => {
    const incident = await lockIncident(tx, id)
    if (!incident) throw notFound(`Incident ${id}`)
    if (incident.version !== version)
      throw new AppError('conflict', 'Someone else changed this incident. Nothing was saved.', {
        parameter: 'version',
      })
    await patchIncident(tx, id, { postmortem: markdown })
    await insertEvent(tx, id, { kind: 'postmortem', actor: ctx.actor.name, text: 'Saved the post-mortem' })
    await recordAudit(tx, {
      ...{ action: 'incident.save_postmortem', resource: 'incident', id },
      after: { name: labelOf(incident), characters: markdown.length },
    })
    return { version: version + 1 }
  })
}
