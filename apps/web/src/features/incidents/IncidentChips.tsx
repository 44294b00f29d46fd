import type { Incident } from '@agency/contract/types'
import { incidentSeverityChips, incidentStatusChips } from '../../lib/incident-status.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './incidents.module.css'

export function SeverityChip({ severity }: Pick<Incident, 'severity'>) {
  const { tone, label, meaning } = incidentSeverityChips[severity]
  return <StatusChip tone={tone} label={label} title={meaning} />
}

export function IncidentStatusChips({ status, is_false_positive }: Pick<Incident, 'status' | 'is_false_positive'>) {
  return (
    <span className={css['chips']}>
      <StatusChip {...incidentStatusChips[status]} />
      {is_false_positive ? <StatusChip tone="neutral" label="False positive" title="Not counted in reports" /> : null}
    </span>
  )
}
