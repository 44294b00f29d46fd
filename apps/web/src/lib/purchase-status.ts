import type { PurchaseStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

export const purchaseStatusChips: Record<PurchaseStatus, { label: string; tone: Tone }> = {
  completed: { label: 'Completed', tone: 'success' },
  pending: { label: 'Pending', tone: 'info' },
  failed: { label: 'Failed', tone: 'error' },
  refunded: { label: 'Refunded', tone: 'neutral' },
}
