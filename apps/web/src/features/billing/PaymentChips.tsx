import type { Payment } from '@agency/contract/descriptors'
import { paymentMarks, paymentStatusChips } from '../../lib/payment-status.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './billing.module.css'
import { disputeChip } from './provider-words.ts'

export function PaymentChips({ payment }: { payment: Payment }) {
  const status = paymentStatusChips[payment.status]
  const why = payment.status === 'failed' ? (payment.failure_message ?? payment.failure_code) : null
  return (
    <span className={css['chips']}>
      {StatusChip({ ...status, title: why ?? undefined })}
      {paymentMarks(payment).map((mark) => (
        <StatusChip
          key={mark.label}
          {...mark}
          title={
            mark.label === 'Disputed' && payment.dispute_status ? disputeChip(payment.dispute_status).label : undefined
          }
        />
      ))}
    </span>
  )
}
