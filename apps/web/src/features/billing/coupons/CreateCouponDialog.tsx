import * as billing from '@agency/contract/descriptors/billing'
import * as coupons from '@agency/contract/descriptors/coupons'
import type { Plan } from '@agency/contract/types'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { q, type ResponseOf } from '../../../lib/api.ts'
import { type EditForm, useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useField } from '../../../lib/form/use-field.ts'
import { useCall } from '../../../lib/use-call.ts'
import { DayInput } from '../../../ui/form/DayInput.tsx'
import { EditDialog } from '../../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../../ui/form/EditFormDialog.tsx'
import { RadioInput } from '../../../ui/form/RadioInput.tsx'
import { SelectInput } from '../../../ui/form/SelectInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { SearchChoice } from '../../../ui/SearchChoice.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { type CouponFields, couponOf, couponProblems, newCoupon } from './coupon-fields.ts'
import { couponReads } from './coupons-list.ts'

type Plans = ResponseOf<typeof billing.listPlans>

const title = 'Create Coupon'

const serverFields = {
  percent_off: 'percent',
  amount_off: 'amount',
  duration_in_months: 'months',
  max_redemptions: 'redemptions',
  redeem_by: 'lastDay',
} as const

const kinds = [
  { value: 'percent', label: 'Percentage' },
  { value: 'amount', label: 'Fixed amount' },
]
const durations = [
  { value: 'once', label: 'First invoice only' },
  { value: 'repeating', label: 'A number of months' },
  { value: 'forever', label: 'Every invoice' },
]

export function CreateCouponDialog({ onClose }: { onClose: () => void }) {
  return (
    <EditDialog title={title} query={q(billing.listPlans, {})} onClose={onClose}>
      {(plans) => <CouponForm plans={plans} onClose={onClose} />}
    </EditDialog>
  )
}

function CouponForm({ plans, onClose }: { plans: Plans; onClose: () => void }) {
  const create = useCall(coupons.createCoupon, couponReads, { isOneIntent: true })
  const toast = useToast()
  const form = useEditForm<CouponFields>({
    values: newCoupon(plans.currency),
    ...{ problemsOf: couponProblems, call: create, fields: serverFields },
  })
  const handleSubmit = (fields: CouponFields) =>
    create.mutate(
      { body: couponOf(fields) },
      {
        onSuccess: ({ coupon }) => {
          toast.success(`Created coupon ${coupon.name}: ${coupon.terms}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog title={title} submitLabel={title} form={form} onSubmit={handleSubmit} onClose={onClose}>
      <TextInput
        form={form}
        name="name"
        label="Name"
        help="Customers see it on their invoices"
        inputProps={{ maxLength: 40 }}
      />
      <Discount form={form} plans={plans} />
      <Duration form={form} />
      <TextInput
        form={form}
        name="redemptions"
        label="Maximum redemptions"
        help="Empty for no limit"
        inputProps={{ inputMode: 'numeric' }}
      />
      <DayInput form={form} name="lastDay" label="Redeem by" help="The last day. Empty for no end" />
      <PlanChoice form={form} plans={plans.plans} />
    </EditFormDialog>
  )
}

type FormProps = { form: EditForm<CouponFields> }

function Discount({ form, plans }: FormProps & { plans: Plans }) {
  const kind = useWatch({ control: form.control, name: 'kind' })
  return (
    <>
      <RadioInput form={form} name="kind" label="Discount" choices={kinds} />
      {kind === 'percent' ? (
        <TextInput form={form} name="percent" label="Percent off" inputProps={{ inputMode: 'decimal' }} />
      ) : (
        <>
          <TextInput form={form} name="amount" label="Amount off" inputProps={{ inputMode: 'decimal' }} />
          <SelectInput form={form} name="currency" label="Currency" choices={currencyChoices(plans)} />
        </>
      )}
    </>
  )
}

/** Of what is sold: an amount counts in its own currency alone. */
function currencyChoices({ currency, plans }: Plans) {
  const sold = plans.flatMap(({ prices }) => prices.map((price) => price.currency))
  return [...new Set([currency, ...sold.toSorted()])].map((code) => ({ value: code, label: code.toUpperCase() }))
}

function Duration({ form }: FormProps) {
  const duration = useWatch({ control: form.control, name: 'duration' })
  return (
    <>
      <RadioInput form={form} name="duration" label="Applies to" choices={durations} />
      {duration === 'repeating' ? (
        <TextInput form={form} name="months" label="Months" inputProps={{ inputMode: 'numeric' }} />
      ) : null}
    </>
  )
}

function PlanChoice({ form, plans }: FormProps & { plans: readonly Plan[] }) {
  const { value, onChange, problem, disabled } = useField(form, 'plans')
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  return (
    <SearchChoice
      label="Plans"
      isMany
      options={plans
        .filter(({ active, name }) => active && name.toLowerCase().includes(wanted))
        .map(({ id, name }) => ({ id, name }))}
      chosen={value}
      isLoading={false}
      help="All plans, unless some are chosen"
      problem={problem}
      disabled={disabled}
      onSearch={setTyped}
      onChange={onChange}
    />
  )
}
