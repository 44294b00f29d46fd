import * as sites from '@agency/contract/descriptors/sites'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import { useField } from '../../../lib/form/use-field.ts'
import { useRested } from '../../../lib/use-rested.ts'
import { InputField } from '../../../ui/InputField.tsx'
import { SearchChoice } from '../../../ui/SearchChoice.tsx'
import type { PageFields, ShownSite } from './page-fields.ts'

type Props = { form: EditForm<PageFields>; customerId: string | null }

/** The sites of a page, chosen by search, each with the words that take the place of its domain. */
export function ShownSites({ form, customerId }: Props) {
  const { value: shown, onChange, problem, disabled } = useField(form, 'sites')
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const { data, isFetching, isError } = useQuery({
    ...q(sites.listSites, { query: { limit: 25, search: search || undefined, customer_id: customerId ?? undefined } }),
    placeholderData: keepPreviousData,
  })
  const setLabel = (id: string, label: string) =>
    onChange(shown.map((site) => (site.id === id ? { ...site, label } : site)))
  const labelOf = new Map(shown.map(({ id, label }) => [id, label]))
  return (
    <>
      <SearchChoice
        label="Sites on the page"
        isMany
        options={(data?.sites ?? []).map(({ id, site_name, domain }) => ({ id, name: site_name, detail: domain }))}
        chosen={shown}
        isLoading={isFetching}
        help={search !== '' && data?.has_more ? 'More sites match: type more' : 'Search by name or domain'}
        problem={problem ?? (isError ? 'Sites could not be loaded' : undefined)}
        disabled={disabled}
        onSearch={setTyped}
        onChange={(chosen) =>
          onChange(
            chosen.map(
              ({ id, name, detail }): ShownSite => ({ id, name, detail: detail ?? '', label: labelOf.get(id) ?? '' }),
            ),
          )
        }
      />
      {shown.map(({ id, name, detail, label }) => (
        <InputField
          key={id}
          label={`Label of ${name}`}
          value={label}
          placeholder={detail}
          help={label ? undefined : `Shown as ${detail}`}
          disabled={disabled}
          onChange={(next) => setLabel(id, next)}
          inputProps={{ maxLength: 80 }}
        />
      ))}
    </>
  )
}
