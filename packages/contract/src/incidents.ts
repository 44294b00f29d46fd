import { z } from 'zod'
import { alert, moneyAtRisk } from './alerts.ts'
import { endpoint } from './endpoint.ts'
import { incidentSeverities, incidentSeverity, incidentStatus } from './monitoring.ts'
import { count, idParams, instant, listOf, pageQuery, searchText } from './primitives.ts'

export const incident = z.object({
  id: z.string(),
  number: count,
  severity: incidentSeverity,
  status: incidentStatus,
  title: z.string(),
  opened_at: instant,
  /** A person, or null: the console itself. */
  opened_by: z.string().nullable(),
  resolved_at: instant.nullable(),
  resolved_by: z.string().nullable(),
  assignee_id: z.string().nullable(),
  assignee_name: z.string().nullable(),
  /** It never was one: it counts in no figure. */
  is_false_positive: z.boolean(),
  merged_into: z.string().nullable(),
  active_alerts: count,
  affected_sites: count,
  affected_customers: count,
  /** null for whoever may not see money. */
  at_risk: z.array(moneyAtRisk).nullable(),
  version: count,
})
export type Incident = z.output<typeof incident>

export const incidentEventKinds = [
  'opened',
  'alert_joined',
  'alert_resolved',
  'status',
  'severity',
  'title',
  'assigned',
  'note',
  'merged',
  'split',
  'false_positive',
  'postmortem',
  'customers_notified',
  'credit_given',
  'public_update',
  'resolved',
  'reopened',
] as const

export const incidentEvent = z.object({
  id: z.string(),
  at: instant,
  kind: z.enum(incidentEventKinds),
  /** A person; null: the console itself. */
  actor: z.string().nullable(),
  text: z.string(),
})
export type IncidentEvent = z.output<typeof incidentEvent>

/** Something that was changed before the incident; the likeliest cause comes first. */
export const possibleCause = z.object({
  id: z.string(),
  at: instant,
  kind: z.enum(['deployment', 'environment', 'dns', 'site', 'setting', 'plan', 'flag']),
  title: z.string(),
  actor: z.string().nullable(),
  site_name: z.string().nullable(),
  link: z.string().nullable(),
  /** From 0 to 100: how near it is in time and subject. */
  score: z.int().min(0).max(100),
  /** Why it stands where it stands. */
  reasons: z.array(z.string()),
  /** How it can be undone here: by a rollback of the site to that deployment, of its variables or of the flag to that version. */
  undo: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('deployment'), site_id: z.string(), to: z.string(), name: z.string() }),
      z.object({ kind: z.literal('environment'), site_id: z.string(), to: count, version: count, name: z.string() }),
      z.object({ kind: z.literal('flag'), flag_id: z.string(), to: count, version: count, name: z.string() }),
    ])
    .nullable(),
})
export type PossibleCause = z.output<typeof possibleCause>

export const incidentDetails = z.object({
  ...incident.shape,
  alerts: z.array(alert),
  /** Oldest first; never changed. */
  events: z.array(incidentEvent),
  changes: z.array(possibleCause),
  /** 500 at most, by name. */
  sites: z.array(z.object({ id: z.string(), site_name: z.string() })),
  postmortem: z.string().nullable(),
})
export type IncidentDetails = z.output<typeof incidentDetails>

const topics = ['incidents', 'alerts'] as const

export const listIncidents = endpoint({
  method: 'GET',
  path: '/incidents',
  permission: 'sites.read',
  summary: 'Incidents, newest first or those with the most money at risk',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    /** `active`: all that are not over. */
    status: z.enum(['active', 'all', ...incidentStatus.options]).default('active'),
    severity: listOf(z.enum([...incidentSeverities, 'all'])).optional(),
    sort: z.enum(['newest', 'severity', 'money']).default('newest'),
  }),
  response: z.object({
    incidents: z.array(incident),
    has_more: z.boolean(),
    total: count,
    counts: z.object({ active: count, sev1: count, sev2: count, sev3: count, sev4: count }),
  }),
  topics,
  isPersonal: true,
})

export const getIncident = endpoint({
  method: 'GET',
  path: '/incidents/:id',
  permission: 'sites.read',
  summary: 'An incident with its alerts, its timeline, and what changed before it',
  params: idParams,
  response: z.object({ incident: incidentDetails }),
  topics,
  isPersonal: true,
})

const changed = z.object({ incident })
const title = z.string().trim().min(1).max(200)

export const openIncident = endpoint({
  method: 'POST',
  path: '/incidents',
  permission: 'sites.write',
  summary: 'Open an incident by hand, with alerts that belong to it',
  body: z.strictObject({
    title,
    severity: incidentSeverity,
    alert_ids: z.array(z.string().min(1).max(64)).max(200).default([]),
  }),
  response: changed,
  idempotent: true,
})

export const updateIncident = endpoint({
  method: 'PATCH',
  path: '/incidents/:id',
  permission: 'sites.write',
  summary: 'Change an incident; to resolve it resolves its alerts too. A version that is not the newest is refused',
  params: idParams,
  body: z.strictObject({
    version: count,
    title: title.optional(),
    severity: incidentSeverity.optional(),
    status: z.enum(['open', 'investigating', 'identified', 'monitoring', 'resolved']).optional(),
    assignee_id: z.string().min(1).max(64).nullable().optional(),
    is_false_positive: z.boolean().optional(),
  }),
  response: changed,
})

export const addIncidentNote = endpoint({
  method: 'POST',
  path: '/incidents/:id/notes',
  permission: 'sites.write',
  summary: 'Write a note into the timeline',
  params: idParams,
  body: z.strictObject({ text: z.string().trim().min(1).max(4000) }),
  response: z.object({ event: incidentEvent }),
  idempotent: true,
})

export const mergeIncident = endpoint({
  method: 'POST',
  path: '/incidents/:id/merge',
  permission: 'sites.write',
  summary: 'Merge an incident into another one',
  params: idParams,
  body: z.strictObject({ into: z.string().min(1).max(64) }),
  response: changed,
})

export const splitIncident = endpoint({
  method: 'POST',
  path: '/incidents/:id/split',
  permission: 'sites.write',
  summary: 'Take alerts out of this incident into one of their own',
  params: idParams,
  body: z.strictObject({ alert_ids: z.array(z.string().min(1).max(64)).min(1).max(200), title }),
  response: changed,
  idempotent: true,
})

export const getPostmortem = endpoint({
  method: 'GET',
  path: '/incidents/:id/postmortem',
  permission: 'sites.read',
  summary: 'The post-mortem as it was saved, or a draft from the timeline; Markdown',
  params: idParams,
  response: z.object({ markdown: z.string(), is_draft: z.boolean(), version: count }),
  topics,
  isPersonal: true,
})

export const savePostmortem = endpoint({
  method: 'PUT',
  path: '/incidents/:id/postmortem',
  permission: 'sites.write',
  summary: 'Save the post-mortem',
  params: idParams,
  body: z.strictObject({ markdown: z.string().max(100_000), version: count }),
  response: z.object({ version: count }),
})
