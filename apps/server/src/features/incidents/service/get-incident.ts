import type { Incident, IncidentDetails } from '@agency/contract/incidents'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { findAlertsBy, shownTo } from '../../alerts/index.ts'
import { auditedChanges, rankChanges } from '../possible-causes.ts'
import { draftPostmortem } from '../postmortem.ts'
import { findAffected, findChanges } from '../queries/changes.ts'
import { findEvent, findIncidentRow } from '../queries/incidents.ts'
import { countIncidents, findEvents, findIncident, findIncidents, type IncidentsQuery } from '../queries/list.ts'

const changesWithinMs = 24 * 3_600_000
/** What is written down a moment after the first failed check may have caused it. */
const slackMs = 2 * 60_000

export async function listIncidents(ctx: RequestContext, query: IncidentsQuery): Promise<RawJson> {
  const [page, counts] = await Promise.all([findIncidents(ctx.pool, query, shownTo(ctx)), countIncidents(ctx.pool)])
  return rawJson(`${page.slice(0, -1)},"counts":${JSON.stringify(counts)}}`)
}

/** The active ones with the most money at risk. */
export async function findActiveIncidents(
  ctx: RequestContext,
  limit: number,
): Promise<{ incidents: Incident[]; total: number }> {
  const query = { limit, status: 'active', sort: 'money' } as const
  return JSON.parse(await findIncidents(ctx.pool, query, shownTo(ctx)))
}

export async function getIncident(ctx: RequestContext, id: string): Promise<Incident> {
  const incident = await findIncident(ctx.pool, id, shownTo(ctx))
  if (!incident) throw notFound(`Incident ${id}`)
  return incident
}

async function changesBefore(ctx: RequestContext, { id, opened_at }: Incident) {
  const openedAt = new Date(opened_at)
  const [sites, changes] = await Promise.all([
    findAffected(ctx, id),
    findChanges(ctx, {
      from: new Date(openedAt.getTime() - changesWithinMs),
      until: new Date(openedAt.getTime() + slackMs),
      actions: auditedChanges,
    }),
  ])
  return { sites, changes: rankChanges(changes, openedAt, sites) }
}

export async function getDetails(ctx: RequestContext, id: string): Promise<IncidentDetails> {
  const incident = await getIncident(ctx, id)
  const [alerts, events, { sites, changes }, row] = await Promise.all([
    findAlertsBy(ctx.pool, 'incident_id', id, shownTo(ctx)),
    findEvents(ctx.pool, id),
    changesBefore(ctx, incident),
    findIncidentRow(ctx, id),
  ])
  return {
    ...{ ...incident, alerts, events, changes, postmortem: row?.postmortem ?? null },
    sites: sites.map(({ id: siteId, site_name }) => ({ id: siteId, site_name })),
  }
}

export async function getPostmortem(ctx: RequestContext, id: string) {
  const incident = await getIncident(ctx, id)
  const row = await findIncidentRow(ctx, id)
  const { version } = incident
  if (row?.postmortem != null) return { markdown: row.postmortem, is_draft: false, version }
  const [events, { changes }] = await Promise.all([findEvents(ctx.pool, id), changesBefore(ctx, incident)])
  return { markdown: draftPostmortem(incident, events, changes), is_draft: true, version }
}

export async function getNote(ctx: RequestContext, id: string) {
  const event = await findEvent(ctx, id)
  if (!event) throw notFound(`Note ${id}`)
  return { event }
}
