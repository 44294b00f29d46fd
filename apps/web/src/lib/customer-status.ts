import type { CustomerStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

export const customerStatusChips: Record<CustomerStatus, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  suspended: { label: 'Suspended', tone: 'warning' },
  cancelled: { label: 'Cancelled', tone: 'error' },
  pending: { label: 'Pending', tone: 'info' },
  deleted: { label: 'Deleted', tone: 'neutral' },
}
