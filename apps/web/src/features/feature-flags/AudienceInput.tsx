import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField, useProblem } from '../../lib/form/use-field.ts'
import { useRested } from '../../lib/use-rested.ts'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { SearchChoice } from '../../ui/SearchChoice.tsx'
import type { FlagFields } from './flag-fields.ts'
import css from './flags.module.css'

type Form = { form: EditForm<FlagFields> }
type ChoiceProps = Form & {
  name: 'owner' | `${'always' | 'never'}.${'customers' | 'sites' | 'plans'}`
  kind: 'customers' | 'sites' | 'plans' | 'owners'
  label: string
  isMany?: boolean
}

/** What the console finds for what was typed. */
export function FoundChoice({ form, name, kind, label, isMany = true }: ChoiceProps) {
  const { value, onChange, problem, disabled } = useField(form, name)
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const { data, isFetching, isError } = useQuery({
    ...q(featureFlags.findFlagAudience, { query: { kind, search: search || undefined } }),
    placeholderData: keepPreviousData,
  })
  return (
    <SearchChoice
      label={label}
      isMany={isMany}
      options={data?.found ?? []}
      chosen={value}
      isLoading={isFetching}
      problem={problem ?? (isError ? 'They could not be loaded' : undefined)}
      disabled={disabled}
      onSearch={setTyped}
      onChange={(chosen) => onChange(chosen.map(({ id, name: called }) => ({ id, name: called })))}
    />
  )
}

/** Who is named in a flag. */
export function AudienceInput({ form, field, legend }: Form & { field: 'always' | 'never'; legend: string }) {
  // The server may name somebody who is gone meanwhile.
  const problem = useProblem(form, field)
  return (
    <fieldset className={css['fields']}>
      <legend>{legend}</legend>
      {problem ? (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      ) : null}
      <FoundChoice form={form} name={`${field}.customers`} kind="customers" label="Customers" />
      <FoundChoice form={form} name={`${field}.sites`} kind="sites" label="Sites" />
      <FoundChoice form={form} name={`${field}.plans`} kind="plans" label="Plans" />
      <TextInput
        form={form}
        name={`${field}.domains`}
        label="Domains"
        help="With all names below them; several with spaces between"
      />
    </fieldset>
  )
}
