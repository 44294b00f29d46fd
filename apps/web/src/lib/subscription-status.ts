import type { SubscriptionStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

/** Shared by billing and the customers' details, so that a status reads and looks the same on both. */
export const subscriptionStatusChips: Record<SubscriptionStatus, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  trialing: { label: 'Trialing', tone: 'info' },
  past_due: { label: 'Past due', tone: 'warning' },
  unpaid: { label: 'Unpaid', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  incomplete: { label: 'Incomplete', tone: 'warning' },
  paused: { label: 'Paused', tone: 'neutral' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}
