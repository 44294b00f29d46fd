import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Payment } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { q, type ResponseOf } from '../../lib/api.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatMoney } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../ui/OutcomeDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { stillLoading } from '../../ui/unread-preview.ts'
import { RefundInputs } from './RefundInputs.tsx'
import { refundLines } from './reach-words.tsx'
import { type RefundFields, readRefund, refundConsequences, refundOutcome } from './refund-words.tsx'
import { refundBlock } from './row-actions.ts'

type Answer = ResponseOf<typeof billing.refundPayment>
const notReadAgain = 'Stripe has not confirmed the payment yet. The figures update soon.'

/** What the revenue falls by, and that it cannot be undone. */
const usualLines = 2

type Props = { payment: Payment; onClose: () => void }

export function RefundPaymentDialog({ payment: listed, onClose }: Props) {
  // The row may be older than a refund that somebody else has just made.
  const fresh = useQuery(q(billing.getPayment, { params: { id: listed.id } }))
  const payment = fresh.data?.payment ?? listed
  const { currency } = payment
  const rest = payment.refundable_amount ?? 0
  const [answer, setAnswer] = useState<Answer>()
  const { outcome, run } = useMoneyAction(billing.refundPayment, payment.id)
  const toast = useToast()
  const form = useEditForm<RefundFields>({
    values: { howMuch: 'all', amount: '', reason: '' },
    call: { isPending: outcome.phase === 'sending', error: null },
  })
  const fields = useWatch({ control: form.control }) as RefundFields
  const read = readRefund(fields, payment)
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
  const isAwaited = read.ok && !reach && preview.isFetching

  const handleAnswer = (result: Answer) => {
    if (result.refund.status !== 'succeeded') return setAnswer(result)
    const refunded = `Refunded ${formatMoney(result.refund.amount, result.refund.currency)} to ${who}`
    toast.success(result.payment_read === false ? `${refunded}. ${notReadAgain}` : refunded)
    onClose()
  }
  const handleConfirm = () => {
    if (!read.ok) return
    const body = { amount: read.amount, reason: fields.reason === '' ? undefined : fields.reason }
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
      awaited={isAwaited ? (preview.data ? refundLines(preview.data.reach).length : usualLines) : 0}
      confirmLabel={read.ok ? `Refund ${formatMoney(read.amount, currency)}` : 'Refund'}
      destructive
      pending={outcome.phase === 'sending'}
      blockedReason={
        refundBlock(payment) ?? (read.ok ? reach?.refusal : read.message) ?? (isAwaited ? stillLoading : undefined)
      }
      error={outcome.phase === 'open' ? outcome.error : null}
      fieldsFirst={rest > 0}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {rest > 0 ? (
        <RefundInputs form={form} payment={payment} rest={rest} problem={read.ok ? undefined : read.message} />
      ) : null}
    </ConfirmDialog>
  )
}
