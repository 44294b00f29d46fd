import * as invoices from '@agency/contract/descriptors/invoices'
import type { InvoicePreview, ListedInvoice } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { nameOf } from '../../lib/names.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { OutcomeDialog } from '../../ui/OutcomeDialog.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { InvoiceActDialog } from './InvoiceActDialog.tsx'
import { InvoiceChoice, newInvoice } from './InvoiceChoice.tsx'
import { InvoiceInputs } from './InvoiceInputs.tsx'
import { emptyInvoice, type InvoiceFields, type Order, readInvoice } from './invoice-order.ts'
import { NewInvoiceDialog } from './NewInvoiceDialog.tsx'

type Invoicing = ResponseOf<typeof invoices.getInvoicing>
type Step =
  | { at: 'form' }
  | { at: 'new'; order: Order; preview: InvoicePreview }
  | { at: 'existing'; invoice: ListedInvoice }
type Props = { customerId: string; onClose: () => void }

const title = 'Send Invoice'

export function SendInvoiceDialog({ customerId, onClose }: Props) {
  const facts = useQuery({ ...q(invoices.getInvoicing, { params: { id: customerId } }), staleTime: 0 })
  if (facts.data?.refusal) {
    return (
      <OutcomeDialog title={title} tone="info" onClose={onClose}>
        {facts.data.refusal}.
      </OutcomeDialog>
    )
  }
  if (facts.data) return <Steps customerId={customerId} facts={facts.data} onClose={onClose} />
  return (
    <FormDialog title={title} submitLabel="Preview" wide onSubmit={() => {}} onClose={onClose}>
      {facts.error ? (
        <ErrorPanel error={facts.error as ApiError} onRetry={() => void facts.refetch()}>
          {fetchFailure('customers', facts.error as ApiError)}
        </ErrorPanel>
      ) : (
        <SkeletonLines count={5} height={40} />
      )}
    </FormDialog>
  )
}

function Steps({ customerId, facts, onClose }: Props & { facts: Invoicing }) {
  const { customer, currency } = facts
  const [chosen, setChosen] = useState(newInvoice)
  const [step, setStep] = useState<Step>({ at: 'form' })
  const preview = useCall(invoices.previewInvoice)
  const form = useEditForm<InvoiceFields>({
    values: emptyInvoice,
    problemsOf: (typed) => readInvoice(typed, currency).problems ?? {},
  })
  const back = () => setStep({ at: 'form' })
  const existing = facts.invoices.find(({ id }) => id === chosen)

  const showPreview = (typed: InvoiceFields) => {
    const { order } = readInvoice(typed, currency)
    if (!order) return
    preview.mutate(
      { body: { customer: customerId, currency, ...order } },
      { onSuccess: (answer) => setStep({ at: 'new', order, preview: answer }) },
    )
  }
  const handleSubmit = () => (existing ? setStep({ at: 'existing', invoice: existing }) : form.submit(showPreview))

  if (step.at === 'existing') {
    return <InvoiceActDialog act="send" invoice={step.invoice} cancelLabel="Back" onDone={onClose} onClose={back} />
  }
  if (step.at === 'new') {
    const { order, preview: shown } = step
    const common = { customerId, customerName: nameOf(customer), order, preview: shown }
    return <NewInvoiceDialog {...common} onBack={back} onDone={onClose} />
  }
  return (
    <FormDialog
      title={title}
      intro={
        <>
          To <bdi>{nameOf(customer)}</bdi>
          {customer.name && customer.email ? (
            <>
              {' '}
              · <bdi>{customer.email}</bdi>
            </>
          ) : null}
        </>
      }
      submitLabel="Preview"
      pending={preview.isPending}
      error={preview.error}
      wide
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {facts.invoices.length > 0 ? (
        <InvoiceChoice invoices={facts.invoices} value={existing ? chosen : newInvoice} onChange={setChosen} />
      ) : null}
      {existing ? null : <InvoiceInputs form={form} currency={currency} />}
    </FormDialog>
  )
}
