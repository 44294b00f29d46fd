import * as billing from '@agency/contract/descriptors/billing'
import * as coupons from '@agency/contract/descriptors/coupons'
import * as customers from '@agency/contract/descriptors/customers'
import type { Coupon } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { type EditForm, useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useField } from '../../../lib/form/use-field.ts'
import { nameOf } from '../../../lib/names.ts'
import { useDenial } from '../../../lib/session.ts'
import { useCall } from '../../../lib/use-call.ts'
import { useRested } from '../../../lib/use-rested.ts'
import { DayInput } from '../../../ui/form/DayInput.tsx'
import { EditDialog } from '../../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../../ui/form/EditFormDialog.tsx'
import { SwitchInput } from '../../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { SearchChoice } from '../../../ui/SearchChoice.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { type CodeFields, codeOf, codeProblems, newCode } from './code-fields.ts'
import { couponReads } from './coupons-list.ts'

type Props = { coupon: Coupon; onClose: () => void }

const title = 'Add Promotion Code'

const serverFields = { max_redemptions: 'redemptions', expires_at: 'lastDay' } as const

export function AddCodeDialog(props: Props) {
  return (
    <EditDialog title={title} query={q(billing.listPlans, {})} onClose={props.onClose}>
      {({ currency }) => <CodeForm {...props} currency={props.coupon.currency ?? currency} />}
    </EditDialog>
  )
}

function CodeForm({ coupon, currency, onClose }: Props & { currency: string }) {
  const create = useCall(coupons.createPromotionCode, couponReads, { isOneIntent: true })
  const toast = useToast()
  const customerDenial = useDenial(customers.listCustomers)
  const form = useEditForm<CodeFields>({
    values: newCode(currency),
    ...{ problemsOf: codeProblems, call: create, fields: serverFields },
  })
  const handleSubmit = (fields: CodeFields) =>
    create.mutate(
      { params: { id: coupon.id }, body: codeOf(fields) },
      {
        onSuccess: ({ code }) => {
          toast.success(`Added promotion code ${code.code} to ${coupon.name}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title={title}
      intro={
        <>
          For <bdi>{coupon.name}</bdi>: {coupon.terms}
        </>
      }
      submitLabel="Add promotion code"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        form={form}
        name="code"
        label="Code"
        help="Empty: Stripe makes one up"
        inputProps={{ maxLength: 100, autoCapitalize: 'characters', spellCheck: false }}
      />
      <TextInput
        form={form}
        name="redemptions"
        label="Maximum redemptions"
        help="Empty for no limit"
        inputProps={{ inputMode: 'numeric' }}
      />
      <DayInput form={form} name="lastDay" label="Expires" help="The last day. Empty for no end" />
      <TextInput
        form={form}
        name="minimum"
        label={`Minimum order in ${currency.toUpperCase()}`}
        help="Empty for none"
        inputProps={{ inputMode: 'decimal' }}
      />
      <SwitchInput form={form} name="isFirstOnly" label="First payment of a customer only" />
      {customerDenial ? null : <CustomerChoice form={form} />}
    </EditFormDialog>
  )
}

function CustomerChoice({ form }: { form: EditForm<CodeFields> }) {
  const { value, onChange, problem, disabled } = useField(form, 'customer')
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const { data, isFetching, isError } = useQuery({
    ...q(customers.listCustomers, { query: { limit: 25, search: search || undefined } }),
    placeholderData: keepPreviousData,
  })
  return (
    <SearchChoice
      label="Customer"
      options={(data?.customers ?? []).map((customer) => ({
        ...{ id: customer.id, name: nameOf(customer), detail: customer.email },
      }))}
      chosen={value}
      isLoading={isFetching}
      help="Everybody, unless one is chosen"
      problem={problem ?? (isError ? 'Customers could not be loaded' : undefined)}
      disabled={disabled}
      onSearch={setTyped}
      onChange={onChange}
    />
  )
}
