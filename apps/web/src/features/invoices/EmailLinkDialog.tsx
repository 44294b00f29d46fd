import * as invoices from '@agency/contract/descriptors/invoices'
import type { ListedInvoice } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { invoiceName } from './invoice-words.tsx'
import css from './invoices.module.css'

type Props = {
  invoice: ListedInvoice
  cancelLabel?: string
  onDone: () => void
  onClose: () => void
}

/** The email with the payment link, as the customer gets it, and the button that sends it. */
export function EmailLinkDialog({ invoice, cancelLabel, onDone, onClose }: Props) {
  const input = { params: { id: invoice.id } }
  const { data, error, refetch } = useQuery({ ...q(invoices.getPaymentLinkEmail, input), staleTime: 0 })
  const send = useCall(invoices.emailPaymentLink, [], { isOneIntent: true })
  const toast = useToast()
  const to = data?.to ?? ''
  const handleConfirm = () =>
    send.mutate(
      { ...input, body: { to, amount: invoice.amount_remaining } },
      {
        onSuccess: () => {
          toast.success(`Emailed the payment link of invoice ${invoiceName(invoice)} to ${to}`)
          onDone()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Email Payment Link"
      consequences={
        data && !data.refusal
          ? [
              <>
                Emails <bdi>{to}</bdi> the text below.
              </>,
              'Nothing is charged until the customer pays.',
            ]
          : []
      }
      confirmLabel="Send email"
      {...(cancelLabel && { cancelLabel })}
      pending={send.isPending}
      blockedReason={data ? (data.refusal ?? undefined) : unreadPreview(error)}
      error={send.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {data?.refusal ? <ErrorPanel tone="warning">{data.refusal}.</ErrorPanel> : null}
      {data && !data.refusal ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className={css['email']} aria-label="Email" tabIndex={0}>
          <strong>
            <bdi>{data.subject}</bdi>
          </strong>
          <p>
            <bdi>{data.text}</bdi>
          </p>
        </section>
      ) : null}
      {error && !data ? (
        <ErrorPanel error={error as ApiError} onRetry={() => void refetch()}>
          {fetchFailure('invoice', error as ApiError)}
        </ErrorPanel>
      ) : null}
      {data || error ? null : <SkeletonLines count={4} height={24} />}
    </ConfirmDialog>
  )
}
