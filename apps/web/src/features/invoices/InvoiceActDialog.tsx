import * as invoices from '@agency/contract/descriptors/invoices'
import type { InvoiceAction, InvoiceDetails, ListedInvoice, PaymentMethod } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q, type ResponseOf } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../ui/OutcomeDialog.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { InvoiceLines } from './InvoiceLines.tsx'
import { actTitles, confirmLabel, consequences, doneText, maybeText, noPayer } from './invoice-words.tsx'

const endpoints = {
  send: invoices.sendInvoice,
  pay: invoices.payInvoice,
  mark_paid: invoices.markInvoicePaid,
  void: invoices.voidInvoice,
  mark_uncollectible: invoices.markInvoiceUncollectible,
}

const isDestructive = (act: InvoiceAction) => act === 'void' || act === 'mark_uncollectible'

/** What was confirmed of it. */
function termsOf(act: InvoiceAction, { amount_remaining: amount }: InvoiceDetails, method: PaymentMethod | null) {
  if (act === 'pay') return { amount, payment_method: method?.id ?? '' }
  return act === 'mark_paid' ? { amount } : undefined
}

type Props = {
  act: InvoiceAction
  invoice: ListedInvoice
  /** Where one came from, instead of the way out. */
  cancelLabel?: string
  onDone: () => void
  onClose: () => void
}

/** What an action on an invoice reaches, and the button that does it. */
export function InvoiceActDialog({ act, invoice: listed, cancelLabel, onDone, onClose }: Props) {
  const details = useQuery({ ...q(invoices.getInvoice, { params: { id: listed.id } }), staleTime: 0 })
  const invoice = details.data?.invoice
  const payer = useQuery({
    ...q(invoices.getInvoicePayer, { params: { id: listed.id } }),
    ...{ staleTime: 0, enabled: act === 'pay' },
  })
  const method = payer.data?.method ?? null
  const error = (details.error ?? payer.error) as ApiError | null
  const blocked = payer.data && !method ? noPayer : invoice?.refusals[act]
  const isReady = invoice !== undefined && (act !== 'pay' || payer.data !== undefined)
  const { outcome, run } = useMoneyAction(endpoints[act], listed.id)
  const toast = useToast()
  const title = actTitles[act]

  const handleAnswer = (answer: ResponseOf<typeof invoices.sendInvoice>) => {
    toast.success(doneText(act, answer.invoice))
    onDone()
  }
  if (outcome.phase === 'unknown') {
    return (
      <UnknownOutcome
        title={title}
        what={maybeText(act, invoice ?? listed)}
        where="the customer's invoices"
        followFailed={outcome.followFailed}
        onClose={onDone}
      />
    )
  }
  if (outcome.phase === 'confirmed') {
    return (
      <OutcomeDialog title={title} tone="success" onClose={onDone}>
        {doneText(act, invoice ?? listed)}.
      </OutcomeDialog>
    )
  }
  return (
    <ConfirmDialog
      title={title}
      consequences={isReady ? consequences(act, invoice, method) : []}
      confirmLabel={confirmLabel(act, invoice ?? listed)}
      {...(cancelLabel && { cancelLabel })}
      destructive={isDestructive(act)}
      pending={outcome.phase === 'sending'}
      blockedReason={isReady ? (blocked ?? undefined) : unreadPreview(error)}
      error={outcome.phase === 'open' ? outcome.error : null}
      onConfirm={() =>
        void run({ params: { id: listed.id }, body: invoice && termsOf(act, invoice, method) }, handleAnswer)
      }
      onClose={onClose}
    >
      {error && !isReady ? (
        <ErrorPanel error={error} onRetry={() => void (details.error ? details : payer).refetch()}>
          {fetchFailure('invoice', error)}
        </ErrorPanel>
      ) : null}
      {invoice ? (
        <InvoiceLines
          lines={invoice.lines}
          currency={invoice.currency}
          more={invoice.more_lines}
          totals={[
            ['Total', invoice.total],
            ...(invoice.amount_remaining === invoice.total
              ? []
              : ([['Amount due', invoice.amount_remaining]] as const)),
          ]}
        />
      ) : error ? null : (
        <SkeletonLines count={4} height={32} />
      )}
    </ConfirmDialog>
  )
}
