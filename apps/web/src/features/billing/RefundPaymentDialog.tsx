import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Payment } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'
import { formatMoney, moneyToField } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../ui/OutcomeDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { RefundFields } from './RefundFields.tsx'
import { refundLines } from './reach-words.tsx'
import { type RefundDraft, readRefundDraft, refundConsequences, refundOutcome } from './refund-draft.tsx'
import { refundBlock } from './row-actions.ts'

type Answer = ResponseOf<typeof billing.refundPayment>
const notReadAgain = 'Stripe did not show the payment again yet; it is read again by itself.'

type Props = { payment: Payment; onClose: () => void }

export function RefundPaymentDialog({ payment: listed, onClose }: Props) {
  // The row may be older than a refund that somebody else has just made.
  const fresh = useQuery(q(billing.getPayment, { params: { id: listed.id } }))
  const payment = fresh.data?.payment ?? listed
  const { currency } = payment
  const rest = payment.refundable_amount ?? 0
  const [draft, setDraft] = useState<RefundDraft>({ part: false, amount: moneyToField(rest, currency), reason: '' })
  const [tried, setTried] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const { outcome, run } = useMoneyAction(billing.refundPayment, payment.id)
  const toast = useToast()
  const read = readRefundDraft(draft, payment)
  const who = customerNameOf(payment)
  const preview = useQuery({
    ...q(billingChanges.previewRefund, {
      params: { id: listed.id },
      query: { amount: read.ok ? read.amount : undefined },
    }),
    enabled: read.ok,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const reach = read.ok && !preview.isPlaceholderData ? preview.data?.reach : undefined

  const handleAnswer = (result: Answer) => {
    if (result.refund.status !== 'succeeded') return setAnswer(result)
    const refunded = `Refunded ${formatMoney(result.refund.amount, result.refund.currency)} to ${who}`
    toast.success(result.payment_read === false ? `${refunded}. ${notReadAgain}` : refunded)
    onClose()
  }
  const handleConfirm = () => {
    setTried(true)
    if (!read.ok) return
    const body = { amount: read.amount, reason: draft.reason === '' ? undefined : draft.reason }
    void run({ params: { id: payment.id }, body }, handleAnswer)
  }

  if (answer) {
    const { tone, title, text } = refundOutcome(answer.refund, who)
    return (
      <OutcomeDialog title={title} tone={tone} onClose={onClose}>
        {text}
      </OutcomeDialog>
    )
  }
  if (outcome.phase === 'unknown') {
    const what = read.ok ? `${formatMoney(read.amount, currency)} was refunded` : 'the refund was made'
    return (
      <UnknownOutcome
        title="Refund payment"
        what={what}
        where="the payment's details"
        followFailed={outcome.followFailed}
        onClose={onClose}
      />
    )
  }
  if (outcome.phase === 'confirmed') {
    const { amount } = outcome.action
    return (
      <OutcomeDialog title="Refund payment" tone="success" onClose={onClose}>
        The refund{amount === null ? '' : ` of ${formatMoney(amount, currency)}`} to <bdi>{who}</bdi> was made.
      </OutcomeDialog>
    )
  }
  return (
    <ConfirmDialog
      title="Refund payment"
      consequences={[...refundConsequences(payment), ...(reach && !reach.refusal ? refundLines(reach) : [])]}
      confirmLabel={read.ok ? `Refund ${formatMoney(read.amount, currency)}` : 'Refund'}
      destructive
      pending={outcome.phase === 'sending'}
      blockedReason={refundBlock(payment) ?? reach?.refusal ?? undefined}
      error={outcome.phase === 'open' ? outcome.error : null}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {rest > 0 ? (
        <RefundFields
          draft={draft}
          payment={payment}
          rest={rest}
          problem={read.ok || !(tried || draft.part) ? undefined : read.message}
          disabled={outcome.phase === 'sending'}
          onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
        />
      ) : null}
    </ConfirmDialog>
  )
}
