import type { Alert } from '@agency/contract/types'
import { incidentName } from '../../lib/incident-status.ts'
import { paths } from '../../lib/paths.ts'
import type { Action } from '../../ui/action.ts'

export type AlertAct = { kind: 'snooze' | 'assign' | 'resolve'; alert: Alert }

type Options = {
  /** The link to its details; without it, they are open. */
  href?: string
  denial: string | undefined
  onAcknowledge: (alert: Alert) => void
  onAct: (act: AlertAct) => void
}

/** Why nothing more can be done with it, or undefined. */
export const overReason = ({ status }: Pick<Alert, 'status'>): string | undefined =>
  status === 'resolved' ? 'Already resolved' : undefined

/** Why it cannot be acknowledged, or undefined. */
export const acknowledgeReason = (alert: Pick<Alert, 'status'>): string | undefined =>
  alert.status === 'acknowledged' ? 'Already acknowledged' : overReason(alert)

export function alertActions(alert: Alert, { href, denial, onAcknowledge, onAct }: Options): Action[] {
  const act = (label: string, kind: AlertAct['kind'], more: Partial<Action> = {}): Action => ({
    label,
    disabledReason: denial ?? overReason(alert),
    onSelect: () => onAct({ kind, alert }),
    ...more,
  })
  return [
    ...(href === undefined ? [] : [{ label: 'View Details', href }]),
    ...(alert.link === null ? [] : [{ label: `View ${subjectWords[alert.subject]}`, href: alert.link }]),
    {
      label: 'Acknowledge',
      disabledReason: denial ?? acknowledgeReason(alert),
      onSelect: () => onAcknowledge(alert),
      divider: true,
    },
    act('Snooze', 'snooze'),
    act('Assign', 'assign'),
    act('Resolve', 'resolve'),
    incidentAction(alert, denial),
  ]
}

const subjectWords: Record<Alert['subject'], string> = {
  site: 'site',
  sites: 'sites',
  service: 'service',
  metric: 'metric',
  billing: 'payments',
  console: 'console',
}

function incidentAction({ id, incident_id, incident_number }: Alert, denial: string | undefined): Action {
  if (incident_id !== null) {
    const name = incident_number === null ? 'incident' : incidentName(incident_number)
    return { label: `View ${name}`, href: paths.incident(incident_id), divider: true }
  }
  return denial === undefined
    ? { label: 'Open incident', href: paths.newIncident([id]), divider: true }
    : { label: 'Open incident', disabledReason: denial, divider: true }
}
