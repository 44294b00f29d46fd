import type { BillingChoice, LifecycleRun, LifecycleStep, SuspensionReason } from '@agency/contract/types'
import type { Tone } from '../../../theme/palette.ts'

export const suspensionReasons: Record<SuspensionReason, string> = {
  non_payment: 'Non-payment',
  abuse: 'Abuse',
  customer_request: 'The customer’s wish',
  other: 'Another reason',
}

export const billingChoices: Record<BillingChoice, string> = {
  keep: 'Keep collecting as before',
  keep_as_draft: 'Pause, and keep the invoices as drafts to collect later',
  void: 'Pause, and void the invoices',
  mark_uncollectible: 'Pause, and write the invoices off as uncollectible',
}

export const runTitles: Record<LifecycleRun['kind'], string> = {
  suspend: 'Suspension',
  unsuspend: 'Lifting of the suspension',
  delete: 'Deletion',
  erase: 'Erasure',
}

export const runChips: Record<LifecycleRun['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Called off', tone: 'neutral' },
}

export const stepChips: Record<LifecycleStep['state'], { label: string; tone: Tone }> = {
  ...runChips,
  skipped: { label: 'Nothing to do', tone: 'neutral' },
}
