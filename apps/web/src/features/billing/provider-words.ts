import type { MoneyAction } from '@agency/contract/types'
import { sentence } from '../../lib/payment-methods.ts'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone }

// The provider may add states at any time, so these are open: an unknown word is shown as it came.
const invoiceStatuses: Record<string, Chip> = {
  draft: { label: 'Draft', tone: 'neutral' },
  open: { label: 'Open', tone: 'warning' },
  paid: { label: 'Paid', tone: 'success' },
  uncollectible: { label: 'Uncollectible', tone: 'error' },
  void: { label: 'Void', tone: 'neutral' },
}

const refundStatuses: Record<string, Chip> = {
  succeeded: { label: 'Succeeded', tone: 'success' },
  pending: { label: 'Pending', tone: 'info' },
  requires_action: { label: 'Pending', tone: 'info' },
  failed: { label: 'Failed', tone: 'error' },
  canceled: { label: 'Cancelled', tone: 'neutral' },
}

const disputeStatuses: Record<string, Chip> = {
  warning_needs_response: { label: 'Inquiry: needs response', tone: 'warning' },
  warning_under_review: { label: 'Inquiry: under review', tone: 'info' },
  warning_closed: { label: 'Inquiry closed', tone: 'neutral' },
  needs_response: { label: 'Needs response', tone: 'error' },
  under_review: { label: 'Under review', tone: 'info' },
  won: { label: 'Won', tone: 'success' },
  lost: { label: 'Lost', tone: 'error' },
  prevented: { label: 'Prevented', tone: 'neutral' },
}

const chargeStatuses: Record<string, Chip> = {
  succeeded: { label: 'Succeeded', tone: 'success' },
  pending: { label: 'Pending', tone: 'info' },
  failed: { label: 'Failed', tone: 'error' },
}

export const actionStates: Record<MoneyAction['state'], Chip> = {
  started: { label: 'In progress', tone: 'info' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  unknown: { label: 'Outcome unknown', tone: 'warning' },
}

export const actionKinds: Record<MoneyAction['kind'], string> = {
  refund: 'Refund',
  cancel: 'Cancellation',
  undo_cancel: 'Cancellation undone',
  pause: 'Pause of collection',
  resume: 'Collection resumed',
  change_plan: 'Plan change',
  invoice_create: 'New invoice',
  invoice_send: 'Invoice sent',
  invoice_pay: 'Invoice charged',
  invoice_mark_paid: 'Invoice marked as paid',
  invoice_void: 'Invoice voided',
  invoice_uncollectible: 'Invoice written off',
  subscription_create: 'New subscription',
  customer_create: 'New customer',
  customer_update: 'Customer changed',
  sla_credit: 'SLA credit',
  coupon_create: 'New coupon',
  coupon_delete: 'Coupon deleted',
  promotion_code_create: 'New promotion code',
  promotion_code_switch: 'Promotion code switched',
  payment_link_create: 'New payment link',
  payment_link_switch: 'Payment link switched',
}

const reader = (chips: Record<string, Chip>) => (status: string) =>
  chips[status] ?? { label: sentence(status), tone: 'neutral' as const }

export const invoiceChip = reader(invoiceStatuses)
export const refundChip = reader(refundStatuses)
export const disputeChip = reader(disputeStatuses)
export const chargeChip = reader(chargeStatuses)
