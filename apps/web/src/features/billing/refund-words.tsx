import type { Payment, Refund } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { cardName } from '../../lib/cards.ts'
import { formatMoney } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { customerNameOf } from '../../lib/names.ts'
import { methodWords, sentence } from '../../lib/payment-methods.ts'
import { type RefundAmount, readRefundAmount } from './refund-amount.ts'

export const refundReasons = [
  { value: '', label: 'No reason given' },
  { value: 'requested_by_customer', label: 'Requested by customer' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'fraudulent', label: 'Fraudulent' },
] as const
type RefundReason = (typeof refundReasons)[number]['value']

export type RefundFields = {
  /** All that is left, or part of it. */
  howMuch: 'all' | 'part'
  amount: string
  reason: RefundReason
}

export function readRefund({ howMuch, amount }: RefundFields, payment: Payment): RefundAmount {
  const rest = payment.refundable_amount ?? 0
  if (howMuch === 'part') return readRefundAmount(amount, payment.currency, rest)
  return rest > 0 ? { ok: true, amount: rest } : { ok: false, message: 'Nothing left to refund' }
}

export function refundConsequences(payment: Payment): ReactNode[] {
  const money = (amount: number) => formatMoney(amount, payment.currency)
  const method = payment.card ? cardName(payment.card) : methodWords(payment.payment_method_type)
  const did = payment.status === 'succeeded' || payment.status === 'refunded' ? 'paid' : 'was to pay'
  const lines: ReactNode[] = [
    <>
      <bdi>{customerNameOf(payment)}</bdi> {did} {money(payment.amount)} on {formatDate(payment.created_at)}
      {method ? ` (${method})` : ''}.
    </>,
  ]
  const { refunded_amount: refunded, refundable_amount: rest } = payment
  if (refunded !== null && refunded > 0) lines.push(`${money(refunded)} was already refunded.`)
  if (rest === null) lines.push('Stripe did not send the captured and refunded amounts.')
  else if (rest > 0) lines.push(`${refundTarget(payment)} Up to ${money(rest)} can be refunded.`)
  else lines.push('Nothing left to refund.')
  if (payment.disputed) lines.push('The payment is disputed. Stripe refuses refunds while a dispute is open.')
  return lines
}

const refundTarget = ({ payment_method_type: type }: Payment): string =>
  type === 'card' || type === 'card_present'
    ? 'Refunded to the original card.'
    : 'Refunded to the original payment method.'

type RefundOutcome = { title: string; tone: 'success' | 'info' | 'error'; text: ReactNode }

/** What the provider said of a refund that is not simply done. */
export function refundOutcome(refund: Refund, who: string): RefundOutcome {
  const money = formatMoney(refund.amount, refund.currency)
  if (refund.status === 'failed' || refund.status === 'canceled') {
    const why = refund.failure_reason ? ` Reason from Stripe: ${sentence(refund.failure_reason)}.` : ''
    return {
      title: 'Refund failed',
      tone: 'error',
      text: `The refund of ${money} was ${refund.status === 'failed' ? 'refused' : 'cancelled'}.${why} No money has moved.`,
    }
  }
  return {
    title: 'Refund pending',
    tone: 'info',
    text: (
      <>
        Stripe accepted the refund of {money} to <bdi>{who}</bdi>. The payment updates here when the refund is complete.
      </>
    ),
  }
}
