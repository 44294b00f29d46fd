import type { Alert, AlertStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

type Chip = { label: string; tone: Tone }

/** The worst first, as they are listed everywhere. */
export const alertSeverityChips: Record<Alert['severity'], Chip> = {
  critical: { label: 'Critical', tone: 'error' },
  error: { label: 'Error', tone: 'error' },
  warning: { label: 'Warning', tone: 'warning' },
  info: { label: 'Info', tone: 'info' },
}

export const alertSeverities = Object.keys(alertSeverityChips) as Alert['severity'][]

export const alertStatusChips: Record<AlertStatus, Chip> = {
  open: { label: 'Open', tone: 'error' },
  acknowledged: { label: 'Acknowledged', tone: 'info' },
  snoozed: { label: 'Snoozed', tone: 'neutral' },
  resolved: { label: 'Resolved', tone: 'success' },
}
