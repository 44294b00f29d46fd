import * as invoices from '@agency/contract/descriptors/invoices'
import type { InvoiceAction, ListedInvoice } from '@agency/contract/types'
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
import { InvoiceLines } from './InvoiceLines.tsx'
import { actTitles, confirmLabel, consequences, doneText, maybeText } from './invoice-words.tsx'

const endpoints = {
  send: invoices.sendInvoice,
  void: invoices.voidInvoice,
  mark_uncollectible: invoices.markInvoiceUncollectible,
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
      consequences={invoice ? consequences(act, invoice) : []}
      confirmLabel={confirmLabel(act, invoice ?? listed)}
      {...(cancelLabel && { cancelLabel })}
      destructive={act !== 'send'}
      pending={outcome.phase === 'sending'}
      blockedReason={invoice ? (invoice.refusals[act] ?? undefined) : 'What it would change is not known yet'}
      error={outcome.phase === 'open' ? outcome.error : null}
      onConfirm={() => void run({ params: { id: listed.id } }, handleAnswer)}
      onClose={onClose}
    >
      {details.error && !invoice ? (
        <ErrorPanel error={details.error as ApiError} onRetry={() => void details.refetch()}>
          {fetchFailure('invoice', details.error as ApiError)}
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
              : ([['Still to pay', invoice.amount_remaining]] as const)),
          ]}
        />
      ) : details.error ? null : (
        <SkeletonLines count={4} height={32} />
      )}
    </ConfirmDialog>
  )
}
