import type { BillingChoice, LifecycleRun, LifecycleStep, SuspensionReason } from '@agency/contract/types'
import type { Tone } from '../../../theme/palette.ts'

export const suspensionReasons: Record<SuspensionReason, string> = {
  non_payment: 'Non-payment',
  abuse: 'Abuse',
  customer_request: 'Customer request',
  other: 'Another reason',
}

export const billingChoices: Record<BillingChoice, string> = {
  keep: "Don't pause",
  keep_as_draft: 'Pause, keep invoices as drafts',
  void: 'Pause, void invoices',
  mark_uncollectible: 'Pause, mark invoices uncollectible',
}

export const runTitles: Record<LifecycleRun['kind'], string> = {
  suspend: 'Suspend account',
  unsuspend: 'Lift suspension',
  delete: 'Delete customer',
  erase: 'Erase customer',
}

export const runChips: Record<LifecycleRun['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const stepChips: Record<LifecycleStep['state'], { label: string; tone: Tone }> = {
  ...runChips,
  skipped: { label: 'Nothing to do', tone: 'neutral' },
}
