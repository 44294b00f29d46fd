import * as billing from '@agency/contract/descriptors/billing'
import type { Payment, Subscription } from '@agency/contract/types'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { q } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import { formatMoney, formatMoneyIfKnown } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import type { ApiError } from '../../lib/problems.ts'
import { planName } from '../../lib/subscriptions.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './billing.module.css'
import { RefundPaymentDialog } from './RefundPaymentDialog.tsx'

type Props = { subscription: Subscription; onClose: () => void }

const listed = 100

/** A subscription is not refunded, its payments are: first which one, then how much. */
export function RefundSubscriptionDialog({ subscription, onClose }: Props) {
  const [chosen, setChosen] = useState<Payment>()
  if (chosen) return <RefundPaymentDialog payment={chosen} onClose={onClose} />
  return <ChoosePayment subscription={subscription} onChoose={setChosen} onClose={onClose} />
}

type ChooseProps = Props & { onChoose: (payment: Payment) => void }

function ChoosePayment({ subscription, onChoose, onClose }: ChooseProps) {
  const id = useId()
  const { data, error, refetch } = useQuery(
    q(billing.listPayments, {
      query: { subscription: subscription.id, refundable: 'true', sort: '-created_at', limit: listed },
    }),
  )
  return (
    <Dialog open maxWidth="xs" fullWidth onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>Issue Refund</DialogTitle>
      <DialogContent>
        <p className={css['muted']}>
          Choose the payment of <bdi>{customerNameOf(subscription)}</bdi> for <bdi>{planName(subscription)}</bdi>.
        </p>
        {error ? (
          <ErrorPanel error={error as ApiError} onRetry={() => void refetch()}>
            {fetchFailure('payments', error as ApiError)}
          </ErrorPanel>
        ) : null}
        {!data && !error ? <SkeletonLines count={3} /> : null}
        {data?.payments.length === 0 ? (
          <EmptyState compact text="No refundable payments of this subscription." />
        ) : null}
        <ul className={css['choices']}>
          {data?.payments.map((payment) => (
            <li key={payment.id}>
              <button type="button" className={css['choice']} onClick={() => onChoose(payment)}>
                <span>
                  <strong>{formatMoneyIfKnown(payment.refundable_amount, payment.currency)}</strong>
                  {payment.refunded_amount !== null && payment.refunded_amount > 0
                    ? ` of ${formatMoney(payment.amount, payment.currency)}`
                    : null}
                </span>
                {payment.disputed ? <StatusChip tone="error" label="Disputed" /> : <span />}
                <DateTime at={payment.created_at} />
              </button>
            </li>
          ))}
        </ul>
        {data?.has_more ? <p className={css['muted']}>The newest {listed} are shown.</p> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  )
}
