import * as sites from '@agency/contract/descriptors/sites'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useRested } from '../../lib/use-rested.ts'
import { SearchChoice } from '../../ui/SearchChoice.tsx'
import type { MaintenanceFields } from './maintenance-fields.ts'

/** The sites of a window, chosen by search. */
export function ChosenSites({ form }: { form: EditForm<MaintenanceFields> }) {
  const { value, onChange, problem, disabled } = useField(form, 'sites')
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const { data, isFetching, isError } = useQuery({
    ...q(sites.listSites, { query: { limit: 25, search: search || undefined } }),
    placeholderData: keepPreviousData,
  })
  return (
    <SearchChoice
      label="Choose sites"
      isMany
      options={(data?.sites ?? []).map(({ id, site_name, domain }) => ({ id, name: site_name, detail: domain }))}
      chosen={value}
      isLoading={isFetching}
      help={search !== '' && data?.has_more ? 'More sites match: type more' : 'Search by name or domain'}
      problem={problem ?? (isError ? 'Sites could not be loaded' : undefined)}
      disabled={disabled}
      onSearch={setTyped}
      onChange={(chosen) => onChange(chosen.map(({ id, name }) => ({ id, name })))}
    />
  )
}
