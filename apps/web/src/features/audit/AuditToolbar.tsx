import * as audit from '@agency/contract/descriptors/audit'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { Button } from '../../ui/Button.tsx'
import { type Choice, FilterDate, FilterSelect, FilterText } from '../../ui/FilterField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import css from './audit.module.css'
import { type AuditSearch, minSearch } from './audit-search.ts'
import { actorLabels, outcomeChips } from './audit-words.ts'

type Props = {
  state: AuditSearch
  onChange: (change: Partial<AuditSearch>) => void
  /** The rows are there: what else is asked may follow. */
  ready: boolean
}

const all: Choice = { value: '', label: 'All' }
const actorChoices = [all, ...Object.entries(actorLabels).map(([value, label]) => ({ value, label }))]
const outcomeChoices = [all, ...Object.entries(outcomeChips).map(([value, { label }]) => ({ value, label }))]
const choicesOf = (values: readonly string[] = []) => [all, ...values.map((value) => ({ value, label: value }))]

export function AuditToolbar({ state, onChange, ready }: Props) {
  const [more, setMore] = useState(false)
  return (
    <>
      <SearchField
        label="Search name, action or resource"
        value={state.search}
        onSearch={(search) => onChange({ search })}
      />
      {state.search.length > 0 && state.search.length < minSearch ? (
        <span className={css['muted']} role="status">
          Three characters at least
        </span>
      ) : null}
      <FilterSelect
        label="Outcome"
        value={state.outcome}
        choices={outcomeChoices}
        onChange={(outcome) => onChange({ outcome: outcome as AuditSearch['outcome'] })}
      />
      <Button
        variant="outlined"
        startIcon={<Icon name="filter" />}
        aria-expanded={more}
        onClick={() => setMore((shown) => !shown)}
      >
        {more ? 'Fewer filters' : 'More filters'}
      </Button>
      {more ? <MoreFilters state={state} onChange={onChange} ready={ready} /> : null}
    </>
  )
}

function MoreFilters({ state, onChange, ready }: Props) {
  const facets = useQuery({ ...q(audit.listAuditFacets, {}), enabled: ready })
  const unknown = facets.isError ? 'The choices could not be loaded' : undefined
  return (
    <div className={css['more']}>
      <FilterSelect
        label="Actor"
        value={state.actor_type}
        choices={actorChoices}
        onChange={(type) => onChange({ actor_type: type as AuditSearch['actor_type'] })}
      />
      <FilterSelect
        label="Action"
        value={state.action}
        choices={choicesOf(facets.data?.actions)}
        disabledReason={unknown}
        onChange={(action) => onChange({ action })}
      />
      <FilterSelect
        label="Resource"
        value={state.resource}
        choices={choicesOf(facets.data?.resources)}
        disabledReason={unknown}
        onChange={(resource) => onChange({ resource })}
      />
      <FilterDate label="From" value={state.from} onChange={(from) => onChange({ from })} />
      <FilterDate label="To" value={state.to} onChange={(to) => onChange({ to })} />
      <FilterText label="Address" value={state.address} onChange={(address) => onChange({ address })} />
    </div>
  )
}
