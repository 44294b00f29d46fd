import type { AlertEvent } from '@agency/contract/types'

export const eventLabels: Record<AlertEvent['kind'], string> = {
  opened: 'Opened',
  reopened: 'Reopened',
  changed: 'Changed',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  assigned: 'Assigned',
  resolved: 'Resolved',
  grouped: 'Grouped',
  notified: 'Notified',
}
