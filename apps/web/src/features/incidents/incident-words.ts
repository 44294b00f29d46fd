import type { Incident, IncidentEvent, PossibleCause } from '@agency/contract/types'
import { formatSpan } from '../../lib/format-time.ts'
import { incidentName } from '../../lib/incident-status.ts'

export const eventLabels: Record<IncidentEvent['kind'], string> = {
  opened: 'Opened',
  alert_joined: 'Alert joined',
  alert_resolved: 'Alert resolved',
  status: 'Status',
  severity: 'Severity',
  title: 'Renamed',
  assigned: 'Assigned',
  note: 'Note',
  merged: 'Merged',
  split: 'Split',
  false_positive: 'False positive',
  postmortem: 'Post-mortem',
  customers_notified: 'Customers notified',
  credit_given: 'SLA credit',
  public_update: 'Public update',
  resolved: 'Resolved',
  reopened: 'Reopened',
}

export const causeLabels: Record<PossibleCause['kind'], string> = {
  deployment: 'Deployment',
  environment: 'Variables',
  dns: 'DNS record',
  site: 'Site',
  setting: 'Setting',
  plan: 'Plan',
  flag: 'Feature flag',
}

/** `INC-12 · Castine Chandlery is down` */
export const incidentTitle = ({ number, title }: Pick<Incident, 'number' | 'title'>): string =>
  `${incidentName(number)} · ${title}`

/** How long it lasted, or has lasted until now; in whole minutes. */
export function durationText({ opened_at, resolved_at }: Pick<Incident, 'opened_at' | 'resolved_at'>, now: number) {
  const ms = (resolved_at === null ? now : Date.parse(resolved_at)) - Date.parse(opened_at)
  return ms < 60_000 ? 'Under 1 min' : formatSpan(Math.floor(ms / 60_000) * 60)
}

/** `12 min before` */
export function distanceText(at: string, openedAt: string): string {
  const seconds = (Date.parse(openedAt) - Date.parse(at)) / 1000
  return seconds >= 0 ? `${formatSpan(seconds)} before` : `${formatSpan(-seconds)} after`
}

type Step = { to: 'investigating' | 'identified' | 'monitoring' | 'resolved'; label: string }

/** The step that usually comes next; none where it is over. */
export const nextSteps: Record<Incident['status'], Step | null> = {
  open: { to: 'investigating', label: 'Start investigating' },
  investigating: { to: 'identified', label: 'Mark as identified' },
  identified: { to: 'monitoring', label: 'Start monitoring' },
  monitoring: { to: 'resolved', label: 'Resolve incident' },
  resolved: null,
  merged: null,
}
