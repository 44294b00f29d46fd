import type { Alert } from '@agency/contract/types'
import { alertSeverityChips, alertStatusChips } from '../../lib/alert-status.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './alerts.module.css'

export const SeverityChip = ({ severity }: Pick<Alert, 'severity'>) => <StatusChip {...alertSeverityChips[severity]} />

type Status = Pick<Alert, 'status' | 'is_flapping' | 'reopened' | 'snoozed_until'>

export function AlertStatusChips({ status, is_flapping, reopened, snoozed_until }: Status) {
  return (
    <span className={css['chips']}>
      <StatusChip
        {...alertStatusChips[status]}
        title={status === 'snoozed' && snoozed_until ? `Until ${formatDateTime(snoozed_until)}` : undefined}
      />
      {is_flapping ? <StatusChip tone="warning" label="Flapping" title={flappingText(reopened)} /> : null}
    </span>
  )
}

const flappingText = (reopened: number): string =>
  `Reopened ${reopened} ${reopened === 1 ? 'time' : 'times'} in the last hour. No more notices until the alert stays resolved.`
