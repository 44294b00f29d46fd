import type { IncidentDetails } from '@agency/contract/types'
import { incidentStatusChips } from '../../lib/incident-status.ts'
import type { Action } from '../../ui/action.ts'
import { nextSteps } from './incident-words.ts'

export type IncidentAct = 'assign' | 'edit' | 'resolve' | 'merge' | 'split' | 'false-positive'

/** The states that a person can set. */
const settable = ['open', 'investigating', 'identified', 'monitoring', 'resolved'] as const
export type Status = (typeof settable)[number]

type Options = {
  denial: string | undefined
  onAct: (act: IncidentAct) => void
  onStatus: (status: Status) => void
}

/** All but what has a button of its own. */
export function moreActions(incident: IncidentDetails, { denial, onAct, onStatus }: Options): Action[] {
  const { status, alerts, is_false_positive } = incident
  const merged = status === 'merged' ? 'Already merged' : undefined
  const act = (label: string, to: IncidentAct, reason?: string, more: Partial<Action> = {}): Action => ({
    label,
    disabledReason: denial ?? merged ?? reason,
    onSelect: () => onAct(to),
    ...more,
  })
  return [
    ...statusActions(status, denial ?? merged, onStatus),
    act('Edit title or severity', 'edit', undefined, { divider: true }),
    act('Merge into another', 'merge'),
    act('Split alerts', 'split', alerts.length < 2 ? 'Fewer than two alerts' : undefined),
    act(is_false_positive ? 'Undo false positive' : 'Mark as false positive', 'false-positive', undefined, {
      divider: true,
      destructive: !is_false_positive,
    }),
  ]
}

function statusActions(
  status: IncidentDetails['status'],
  reason: string | undefined,
  onStatus: (status: Status) => void,
): Action[] {
  if (status === 'merged') return []
  if (status === 'resolved')
    return [{ label: 'Reopen incident', disabledReason: reason, onSelect: () => onStatus('open') }]
  return settable
    .filter((each) => each !== status && each !== nextSteps[status]?.to)
    .map((each) => ({
      label: each === 'resolved' ? 'Resolve incident' : `Set to ${incidentStatusChips[each].label}`,
      disabledReason: reason,
      onSelect: () => onStatus(each),
    }))
}
