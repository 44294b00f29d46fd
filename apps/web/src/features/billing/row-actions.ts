import type { Payment, Subscription } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import type { Action } from '../../ui/action.ts'
import type { Act } from './billing-act.ts'
import { changeActions } from './change-actions.ts'
import { collectActions, ofPayment, ofSubscription } from './collect-actions.ts'

type Options = {
  href: string
  /** Why the actor may not move money, or undefined. */
  denial: string | undefined
  onAct: (act: Act) => void
}

export function subscriptionActions(
  row: Subscription,
  { href, denial, suspendDenial, onAct }: Options & { suspendDenial: string | undefined },
): Action[] {
  return [
    { label: 'View Details', href },
    {
      label: 'Send Invoice',
      disabledReason: denial,
      onSelect: () => onAct({ kind: 'send-invoice', subscription: row }),
    },
    {
      label: 'Issue Refund',
      disabledReason: denial,
      onSelect: () => onAct({ kind: 'refund-subscription', subscription: row }),
    },
    ...collectActions(ofSubscription(row), { denial, onAct }),
    ...changeActions(row, { denial, onAct }),
    {
      label: 'Cancel Subscription',
      destructive: true,
      divider: true,
      disabledReason: denial ?? cancelBlock(row),
      onSelect: () => onAct({ kind: 'cancel', subscription: row }),
    },
    suspendDenial
      ? { label: 'Suspend Account', disabledReason: suspendDenial }
      : { label: 'Suspend Account', href: paths.customerSuspension(row.customer_id) },
  ]
}

export function paymentActions(row: Payment, { href, denial, onAct }: Options): Action[] {
  const customer: Action[] = row.customer_id ? [{ label: 'View Customer', href: paths.customer(row.customer_id) }] : []
  return [
    { label: 'View Details', href },
    ...customer,
    ...collectActions(ofPayment(row), { denial, onAct }),
    {
      label: 'Issue Refund',
      destructive: true,
      divider: true,
      disabledReason: denial ?? refundBlock(row),
      onSelect: () => onAct({ kind: 'refund', payment: row }),
    },
  ]
}

export function cancelBlock({ status }: Pick<Subscription, 'status'>): string | undefined {
  return status === 'cancelled' ? 'Already cancelled' : undefined
}

export function refundBlock(payment: Pick<Payment, 'refundable_amount' | 'status'>): string | undefined {
  if (payment.status === 'unknown' || payment.refundable_amount === null) return 'Amount unknown: refund at Stripe'
  if (payment.refundable_amount > 0) return undefined
  if (payment.status === 'refunded') return 'Fully refunded'
  if (payment.status === 'uncaptured') return 'Not captured: no money was taken'
  return payment.status === 'succeeded' ? 'Nothing left to refund' : 'Only a succeeded payment can be refunded'
}
