import * as invoices from '@agency/contract/descriptors/invoices'
import type { ListedInvoice } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import type { OpenInvoiceAct } from '../../lib/invoice-parts.ts'
import type { ApiError } from '../../lib/problems.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { OutcomeDialog } from '../../ui/OutcomeDialog.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { unread } from '../../ui/unread-preview.ts'
import { Existing } from './InvoiceChoice.tsx'
import { InvoiceDialog } from './InvoiceDialog.tsx'
import { useCopyPaymentLink } from './use-invoice-acts.tsx'

const titles = {
  pay: 'Charge Invoice',
  mark_paid: 'Mark Invoice as Paid',
  copy_link: 'Copy Payment Link',
  email_link: 'Email Payment Link',
}

/** Of what there is no open invoice. */
const whose = ({ paymentId, subscriptionId }: OpenInvoiceAct): string =>
  paymentId ? 'this payment' : subscriptionId ? 'this subscription' : 'this customer'

/** An action on the open invoice of a payment or a subscription: which one is asked for where there are several. */
export function OpenInvoiceDialog(props: OpenInvoiceAct & { onClose: () => void }) {
  const { act, customerId, subscriptionId, paymentId, onClose } = props
  const query = { status: 'open' as const, limit: 100, subscription: subscriptionId, payment: paymentId }
  const { data, error, refetch } = useQuery({
    ...q(invoices.listCustomerInvoices, { params: { id: customerId }, query }),
    staleTime: 0,
  })
  const [chosen, setChosen] = useState<string>()
  const [isGoing, setGoing] = useState(false)
  const copyLink = useCopyPaymentLink()
  const found = data?.invoices
  const only = found?.length === 1 ? found[0] : undefined
  const invoice = found?.find(({ id }) => id === chosen) ?? found?.[0]

  if (found && !invoice) {
    return (
      <OutcomeDialog title={titles[act]} tone="info" onClose={onClose}>
        No open invoice of {whose(props)}. Nothing is left to collect here.
      </OutcomeDialog>
    )
  }
  if (invoice && act !== 'copy_link' && (only || isGoing)) {
    return (
      <InvoiceDialog
        act={act}
        invoice={invoice}
        {...(only ? {} : { cancelLabel: 'Back' })}
        onDone={onClose}
        onClose={only ? onClose : () => setGoing(false)}
      />
    )
  }
  const handleSubmit = () => {
    if (!invoice) return
    if (act !== 'copy_link') setGoing(true)
    // A link is copied only while the browser sees the press.
    else void copyLink(invoice).then((isCopied) => isCopied && onClose())
  }
  return (
    <FormDialog
      title={titles[act]}
      submitLabel={act === 'copy_link' ? 'Copy link' : 'Continue'}
      blocked={
        !invoice
          ? unread('The list of invoices', error)
          : act === 'copy_link' && !invoice.hosted_invoice_url
            ? 'Stripe shows no payment page for this invoice'
            : undefined
      }
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {error && !found ? (
        <ErrorPanel error={error as ApiError} onRetry={() => void refetch()}>
          {fetchFailure('invoices', error as ApiError)}
        </ErrorPanel>
      ) : null}
      {found ? (
        <Choice invoices={found} value={invoice?.id ?? ''} onChange={setChosen} />
      ) : error ? null : (
        <SkeletonLines count={2} height={40} />
      )}
    </FormDialog>
  )
}

type ChoiceProps = { invoices: readonly ListedInvoice[]; value: string; onChange: (id: string) => void }

function Choice({ invoices: found, value, onChange }: ChoiceProps) {
  return (
    <RadioGroup aria-label="Which invoice" value={value} onChange={(_, next) => onChange(next)}>
      {found.map((invoice) => (
        <FormControlLabel
          key={invoice.id}
          value={invoice.id}
          control={<Radio size="small" />}
          label={<Existing invoice={invoice} />}
        />
      ))}
    </RadioGroup>
  )
}
