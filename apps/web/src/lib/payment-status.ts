import type { PaymentStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

export const paymentStatusChips: Record<PaymentStatus, { label: string; tone: Tone }> = {
  succeeded: { label: 'Succeeded', tone: 'success' },
  pending: { label: 'Pending', tone: 'info' },
  processing: { label: 'Processing', tone: 'info' },
  failed: { label: 'Failed', tone: 'error' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  uncaptured: { label: 'Uncaptured', tone: 'warning' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

type Marked = { refunded_amount: number | null; amount: number; disputed: boolean; status: PaymentStatus }

/** What a payment is besides its status: part of it went back, or its payer disputes it. */
export function paymentMarks(payment: Marked): { label: string; tone: Tone }[] {
  const marks: { label: string; tone: Tone }[] = []
  if (payment.status === 'succeeded' && payment.refunded_amount !== null && payment.refunded_amount > 0) {
    marks.push({ label: 'Partially refunded', tone: 'neutral' })
  }
  if (payment.disputed) marks.push({ label: 'Disputed', tone: 'error' })
  return marks
}
