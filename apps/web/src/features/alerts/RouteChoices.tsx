import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useDenial } from '../../lib/session.ts'
import { useRested } from '../../lib/use-rested.ts'
import { SearchChoice } from '../../ui/SearchChoice.tsx'
import type { RouteFields } from './route-fields.ts'

type Props = { form: EditForm<RouteFields> }

export function ChosenCustomers({ form }: Props) {
  const { value, onChange, problem, disabled } = useField(form, 'customers')
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const denial = useDenial(customers.listCustomers)
  const { data, isFetching, isError } = useQuery({
    ...q(customers.listCustomers, { query: { limit: 25, search: search || undefined } }),
    enabled: denial === undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <SearchChoice
      label="Customers"
      isMany
      options={(data?.customers ?? []).map(({ id, name, email }) => ({ id, name: name ?? email ?? id, detail: email }))}
      chosen={value}
      isLoading={isFetching}
      help={denial ?? 'Empty: all customers, and messages without a customer'}
      problem={problem ?? (isError ? 'Customers could not be loaded' : undefined)}
      disabled={disabled || denial !== undefined}
      onSearch={setTyped}
      onChange={(chosen) => onChange(chosen.map(({ id, name }) => ({ id, name })))}
    />
  )
}

export function ChosenPlans({ form }: Props) {
  const { value, onChange, problem, disabled } = useField(form, 'plans')
  const [typed, setTyped] = useState('')
  const denial = useDenial(billing.listPlans)
  const { data, isFetching, isError } = useQuery({ ...q(billing.listPlans, {}), enabled: denial === undefined })
  const wanted = typed.trim().toLowerCase()
  const matching = (data?.plans ?? []).filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <SearchChoice
      label="Plans"
      isMany
      options={matching.map(({ id, name }) => ({ id, name }))}
      chosen={value}
      isLoading={isFetching}
      help={denial ?? 'Empty: all plans'}
      problem={problem ?? (isError ? 'Plans could not be loaded' : undefined)}
      disabled={disabled || denial !== undefined}
      onSearch={setTyped}
      onChange={(chosen) => onChange(chosen.map(({ id, name }) => ({ id, name })))}
    />
  )
}
