import * as paymentLinks from '@agency/contract/descriptors/payment-links'
import type { PaymentLink, PaymentLinkPreview } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { q } from '../../../lib/api.ts'
import { type EditForm, useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useField } from '../../../lib/form/use-field.ts'
import { useCall } from '../../../lib/use-call.ts'
import { useRested } from '../../../lib/use-rested.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EditFormDialog } from '../../../ui/form/EditFormDialog.tsx'
import { SwitchInput } from '../../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { SearchChoice } from '../../../ui/SearchChoice.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { isRecurring, type LinkFields, linkOf, linkProblems, newLink, type PriceOption } from './link-fields.ts'
import { linkReads } from './links-list.ts'

type Props = { onCreated: (link: PaymentLink) => void; onClose: () => void }
type Shown = { body: ReturnType<typeof linkOf>; preview: PaymentLinkPreview }

const title = 'Create Payment Link'

const serverFields = {
  trial_days: 'trialDays',
  adjustable_quantity: 'isAdjustable',
  allow_promotion_codes: 'takesCodes',
} as const

/** First what it sells, then what whoever opens it will pay. One intent, however often somebody goes back. */
export function CreateLinkDialog({ onCreated, onClose }: Props) {
  const preview = useCall(paymentLinks.previewPaymentLink)
  const create = useCall(paymentLinks.createPaymentLink, linkReads, { isOneIntent: true })
  const toast = useToast()
  const [shown, setShown] = useState<Shown>()
  const form = useEditForm<LinkFields>({
    values: newLink(),
    ...{ problemsOf: linkProblems, call: preview, fields: serverFields },
  })
  const handlePreview = (fields: LinkFields) => {
    const body = linkOf(fields)
    preview.mutate({ body }, { onSuccess: (answer) => setShown({ body, preview: answer }) })
  }
  if (!shown) return <LinkForm form={form} onSubmit={handlePreview} onClose={onClose} />
  const handleCreate = () =>
    create.mutate(
      { body: shown.body },
      {
        onSuccess: ({ payment_link: link }) => {
          toast.success(`Created payment link for ${link.name}`)
          onCreated(link)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={title}
      consequences={consequencesOf(shown.preview)}
      confirmLabel="Create link"
      cancelLabel="Back"
      pending={create.isPending}
      error={create.error}
      onConfirm={handleCreate}
      onClose={() => setShown(undefined)}
    />
  )
}

const consequencesOf = ({ name, terms, facts }: PaymentLinkPreview) => [
  <>
    Sells <bdi>{name}</bdi>: {terms}.
  </>,
  ...facts,
  'Anyone with the address can use it, as often as they like, until it is switched off.',
]

type FormProps = {
  form: EditForm<LinkFields>
  onSubmit: (fields: LinkFields) => void
  onClose: () => void
}

function LinkForm({ form, onSubmit, onClose }: FormProps) {
  const price = useWatch({ control: form.control, name: 'price' })
  return (
    <EditFormDialog title={title} submitLabel="Preview" form={form} onSubmit={onSubmit} onClose={onClose}>
      <PriceChoice form={form} />
      <TextInput form={form} name="quantity" label="Quantity" inputProps={{ inputMode: 'numeric' }} />
      <SwitchInput form={form} name="isAdjustable" label="Customers can change the quantity" help="From 1 to 99" />
      <SwitchInput form={form} name="takesCodes" label="Accept promotion codes" />
      {isRecurring({ price }) ? (
        <TextInput
          form={form}
          name="trialDays"
          label="Trial days"
          help="0 for no trial"
          inputProps={{ inputMode: 'numeric' }}
        />
      ) : null}
    </EditFormDialog>
  )
}

function PriceChoice({ form }: Pick<FormProps, 'form'>) {
  const { value, onChange, problem, disabled } = useField(form, 'price')
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const { data, isFetching, isError } = useQuery({
    ...q(paymentLinks.listLinkPrices, { query: { search: search || undefined } }),
    placeholderData: keepPreviousData,
  })
  const options: PriceOption[] = (data?.prices ?? []).map((each) => ({
    ...{ id: each.id, name: `${each.plan_name}: ${each.terms}`, isRecurring: each.is_recurring },
  }))
  return (
    <SearchChoice
      label="Plan and price"
      options={options}
      chosen={value}
      isLoading={isFetching}
      problem={problem ?? (isError ? 'Prices could not be loaded' : undefined)}
      disabled={disabled}
      onSearch={setTyped}
      onChange={(chosen) => onChange(options.filter(({ id }) => chosen.some((one) => one.id === id)))}
    />
  )
}
