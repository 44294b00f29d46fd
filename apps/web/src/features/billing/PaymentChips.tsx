import type { Payment } from '@agency/contract/types'
import { paymentMarks, paymentStatusChips } from '../../lib/payment-status.ts'
import { failureOf } from '../../lib/payment-words.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './billing.module.css'
import { disputeChip } from './provider-words.ts'

export function PaymentChips({ payment }: { payment: Payment }) {
  const why = payment.status === 'failed' ? failureOf(payment) : null
  const status = StatusChip({ ...paymentStatusChips[payment.status], title: why ?? undefined })
  const marks = paymentMarks(payment)
  if (marks.length === 0) return status
  const dispute = payment.dispute_status ? disputeChip(payment.dispute_status).label : undefined
  return (
    <span className={css['chips']}>
      {status}
      {marks.map((mark) => (
        <StatusChip key={mark.label} {...mark} title={mark.label === 'Disputed' ? dispute : undefined} />
      ))}
    </span>
  )
}
