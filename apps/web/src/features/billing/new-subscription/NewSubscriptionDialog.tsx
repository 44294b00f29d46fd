import * as billing from '@agency/contract/descriptors/billing'
import * as newSubscriptions from '@agency/contract/descriptors/new-subscriptions'
import type { Plan, SubscriptionPreview } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, type ResponseOf } from '../../../lib/api.ts'
import { fetchFailure } from '../../../lib/fetch-failure.ts'
import { nameOf } from '../../../lib/names.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { InputField } from '../../../ui/InputField.tsx'
import { OutcomeDialog } from '../../../ui/OutcomeDialog.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { StartSubscriptionDialog } from './StartSubscriptionDialog.tsx'
import {
  byInvoice,
  codeLabel,
  couponLabel,
  fromChoices,
  methodLabel,
  priceChoices,
  readTerms,
  type SubscriptionFields,
  type Terms,
} from './subscription-terms.ts'

type Facts = ResponseOf<typeof newSubscriptions.getNewSubscription>
type Props = { customerId: string; onClose: () => void }

const title = 'New Subscription'

export function NewSubscriptionDialog({ customerId, onClose }: Props) {
  const facts = useQuery({
    ...q(newSubscriptions.getNewSubscription, { params: { id: customerId } }),
    staleTime: 0,
  })
  const plans = useQuery(q(billing.listPlans, {}))
  const failed = facts.error ? facts : plans
  if (facts.data?.refusal) {
    return (
      <OutcomeDialog title={title} tone="info" onClose={onClose}>
        {facts.data.refusal}.
      </OutcomeDialog>
    )
  }
  if (facts.data && plans.data) return <Steps facts={facts.data} plans={plans.data.plans} onClose={onClose} />
  return (
    <FormDialog title={title} submitLabel="Preview" onSubmit={() => {}} onClose={onClose}>
      {failed.error ? (
        <ErrorPanel error={failed.error as ApiError} onRetry={() => void failed.refetch()}>
          {fetchFailure('plans', failed.error as ApiError)}
        </ErrorPanel>
      ) : (
        <SkeletonLines count={5} height={40} />
      )}
    </FormDialog>
  )
}

type StepsProps = { facts: Facts; plans: readonly Plan[]; onClose: () => void }

function Steps({ facts, plans, onClose }: StepsProps) {
  const { customer, methods } = facts
  const [fields, setFields] = useState<SubscriptionFields>({
    ...{ price: '', quantity: '1', trialDays: '0', from: '', coupon: '', code: '', days: '30' },
    by: methods[0]?.id ?? byInvoice,
  })
  const [shown, setShown] = useState<{ terms: Terms; preview: SubscriptionPreview }>()
  const [isTried, setTried] = useState(false)
  const preview = useCall(newSubscriptions.previewSubscription)
  const { terms, problems } = readTerms(fields)
  if (shown) {
    const method = methods.find(({ id }) => id === shown.terms.payment_method)
    return (
      <StartSubscriptionDialog
        customer={{ id: customer.id, name: nameOf(customer), email: customer.email }}
        {...shown}
        method={method ? methodLabel(method) : null}
        sendsEmail={facts.sends_email}
        onBack={() => setShown(undefined)}
        onDone={onClose}
      />
    )
  }
  const handleSubmit = () => {
    setTried(true)
    if (!terms) return
    preview.mutate(
      { body: { customer: customer.id, ...terms } },
      { onSuccess: (answer) => setShown({ terms, preview: answer }) },
    )
  }
  return (
    <FormDialog
      title={title}
      intro={
        <>
          For <bdi>{nameOf(customer)}</bdi>
        </>
      }
      submitLabel="Preview"
      pending={preview.isPending}
      error={preview.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Fields
        facts={facts}
        plans={plans}
        fields={fields}
        problems={isTried ? problems : {}}
        onChange={(change) => setFields({ ...fields, ...change })}
      />
    </FormDialog>
  )
}

type FieldsProps = {
  facts: Facts
  plans: readonly Plan[]
  fields: SubscriptionFields
  problems: ReturnType<typeof readTerms>['problems']
  onChange: (change: Partial<SubscriptionFields>) => void
}

function Fields({ facts, plans, fields, problems, onChange }: FieldsProps) {
  const prices = priceChoices(plans, facts.currency)
  const from = fromChoices(plans, fields, new Date())
  const coupons = facts.coupons.map((coupon) => ({ value: coupon.coupon_id, label: couponLabel(coupon) }))
  const codes = facts.promotion_codes.map((code) => ({ value: code.id, label: codeLabel(code) }))
  return (
    <>
      <SelectField
        label="Plan and price"
        value={fields.price}
        choices={[
          { value: '', label: prices.length === 0 ? 'No price is offered' : 'Choose a price', disabled: true },
          ...prices,
        ]}
        problem={problems.price}
        onChange={(price) => onChange({ price, from: '' })}
      />
      <InputField
        label="Quantity"
        value={fields.quantity}
        inputProps={{ inputMode: 'numeric' }}
        problem={problems.quantity}
        onChange={(quantity) => onChange({ quantity })}
      />
      <InputField
        label="Trial days"
        value={fields.trialDays}
        inputProps={{ inputMode: 'numeric' }}
        help="0 for no trial"
        problem={problems.trialDays}
        onChange={(trialDays) => onChange({ trialDays })}
      />
      {from.length > 0 ? (
        <SelectField
          label="First full invoice"
          value={fields.from}
          choices={from}
          onChange={(day) => onChange({ from: day })}
        />
      ) : null}
      {coupons.length > 0 ? (
        <SelectField
          label="Coupon"
          value={fields.coupon}
          choices={[{ value: '', label: 'None' }, ...coupons]}
          onChange={(coupon) => onChange({ coupon, code: '' })}
        />
      ) : null}
      {codes.length > 0 ? (
        <SelectField
          label="Promotion code"
          value={fields.code}
          choices={[{ value: '', label: 'None' }, ...codes]}
          onChange={(code) => onChange({ code, coupon: '' })}
        />
      ) : null}
      <RadioGroup aria-label="Payment" value={fields.by} onChange={(_, by) => onChange({ by })}>
        {facts.methods.map((method) => (
          <FormControlLabel
            key={method.id}
            value={method.id}
            control={<Radio size="small" />}
            label={`Charge ${methodLabel(method)}`}
          />
        ))}
        <FormControlLabel
          value={byInvoice}
          disabled={!facts.customer.email}
          control={<Radio size="small" />}
          label={facts.customer.email ? 'Email an invoice with a payment link' : 'Email an invoice: no email address'}
        />
      </RadioGroup>
      {fields.by === byInvoice ? (
        <InputField
          label="Days until due"
          value={fields.days}
          inputProps={{ inputMode: 'numeric' }}
          problem={problems.days}
          onChange={(days) => onChange({ days })}
        />
      ) : null}
    </>
  )
}
