import * as invoices from '@agency/contract/descriptors/invoices'
import type { InvoicePreview } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../ui/OutcomeDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { InvoiceLines } from './InvoiceLines.tsx'
import type { Order } from './invoice-order.ts'
import { invoiceName, newConsequences } from './invoice-words.tsx'
import css from './invoices.module.css'

type Props = {
  customerId: string
  customerName: string
  order: Order
  preview: InvoicePreview
  onBack: () => void
  onDone: () => void
}

const title = 'Send Invoice'

/** What the customer will get, and the button that sends it. */
export function NewInvoiceDialog({ customerId, customerName, order, preview, onBack, onDone }: Props) {
  const { outcome, run } = useMoneyAction(invoices.createInvoice, customerId)
  const toast = useToast()
  const { currency, total, balance, amount_due, email } = preview
  const money = formatMoney(total, currency)

  const handleAnswer = ({ invoice }: ResponseOf<typeof invoices.createInvoice>) => {
    toast.success(`Sent invoice ${invoiceName(invoice)} for ${formatMoney(total, currency)} to ${email}`)
    onDone()
  }
  if (outcome.phase === 'unknown') {
    return (
      <UnknownOutcome
        title={title}
        what={`an invoice for ${money} was sent`}
        where="the customer's invoices"
        followFailed={outcome.followFailed}
        onClose={onDone}
      />
    )
  }
  if (outcome.phase === 'confirmed') {
    return (
      <OutcomeDialog title={title} tone="success" onClose={onDone}>
        The invoice for {money} was sent to <bdi>{email}</bdi>.
      </OutcomeDialog>
    )
  }
  return (
    <ConfirmDialog
      title={title}
      consequences={[
        <>
          <bdi>{customerName}</bdi> owes {formatMoney(amount_due, currency)}, due {formatDate(preview.due_date)}.
        </>,
        ...newConsequences(preview),
      ]}
      confirmLabel={`Send ${money}`}
      cancelLabel="Back"
      pending={outcome.phase === 'sending'}
      error={outcome.phase === 'open' ? outcome.error : null}
      onConfirm={() => void run({ body: { customer: customerId, currency, ...order, email } }, handleAnswer)}
      onClose={onBack}
    >
      <InvoiceLines
        lines={preview.lines}
        currency={currency}
        totals={[
          ['Total', total],
          ...(balance === 0
            ? []
            : ([
                ['Customer balance', Math.max(balance, -total)],
                ['Amount due', amount_due],
              ] as const)),
        ]}
      />
      {preview.memo ? (
        <p className={css['memo']}>
          <bdi>{preview.memo}</bdi>
        </p>
      ) : null}
    </ConfirmDialog>
  )
}
