import type { PaymentDetails } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { sentence } from '../../lib/payment-methods.ts'
import { declineText } from '../../lib/payment-words.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { ActionState } from './ActionState.tsx'
import css from './billing.module.css'
import { actionKinds, chargeChip, disputeChip, refundChip } from './provider-words.ts'
import { StaticTable } from './StaticTable.tsx'

type Props = { payment: PaymentDetails }

export function RefundsAndDisputes({ payment }: Props) {
  return (
    <>
      <h3 className={css['heading']}>Refunds</h3>
      <StaticTable
        label="Refunds"
        headers={['>Amount', 'Status', 'Reason', '>Date']}
        empty="No refunds."
        rows={payment.refunds.map((refund) => ({
          id: refund.id,
          cells: [
            formatMoney(refund.amount, refund.currency),
            <StatusChip
              key="status"
              {...refundChip(refund.status)}
              title={refund.failure_reason ? sentence(refund.failure_reason) : undefined}
            />,
            refund.reason ? sentence(refund.reason) : '–',
            <DateTime key="at" at={refund.created_at} show="date-time" />,
          ],
        }))}
      />
      <h3 className={css['heading']}>Disputes</h3>
      <StaticTable
        label="Disputes"
        headers={['>Amount', 'Status', 'Reason', '>Evidence due', '>Opened']}
        empty="No disputes."
        rows={payment.disputes.map((dispute) => ({
          id: dispute.id,
          cells: [
            formatMoney(dispute.amount, dispute.currency),
            <StatusChip key="status" {...disputeChip(dispute.status)} />,
            sentence(dispute.reason),
            <DateTime key="due" at={dispute.evidence_due_by} show="date-time" none="–" />,
            <DateTime key="at" at={dispute.created_at} />,
          ],
        }))}
      />
    </>
  )
}

export function ChargesTable({ payment }: Props) {
  return (
    <StaticTable
      label="Attempts"
      headers={['Attempt', '>Amount', 'Status', 'Reason', '>Date']}
      empty="No attempts yet."
      rows={payment.charges.map((charge) => ({
        id: charge.id,
        cells: [
          <code key="id">{charge.id}</code>,
          formatMoney(charge.amount, payment.currency),
          <StatusChip key="status" {...chargeChip(charge.status)} />,
          charge.failure_message ? <bdi key="why">{declineText(charge.failure_message)}</bdi> : '–',
          <DateTime key="at" at={charge.created_at} show="date-time" />,
        ],
      }))}
    />
  )
}

export function ActionsTable({ payment }: Props) {
  return (
    <StaticTable
      label="Actions"
      headers={['Action', '>Amount', 'State', 'By', '>Date']}
      empty="No actions from this console."
      rows={payment.actions.map((action) => ({
        id: action.id,
        cells: [
          actionKinds[action.kind],
          action.amount === null ? 'Remaining amount' : formatMoney(action.amount, action.currency ?? payment.currency),
          <ActionState key="state" action={action} />,
          <bdi key="actor">{action.actor_name}</bdi>,
          <DateTime key="at" at={action.created_at} show="date-time" />,
        ],
      }))}
    />
  )
}
