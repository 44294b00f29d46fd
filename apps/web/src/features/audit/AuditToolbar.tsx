import * as audit from '@agency/contract/descriptors/audit'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { type Choice, FilterText } from '../../ui/FilterField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListDate, ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import css from './audit.module.css'
import { type auditSearch, minSearch } from './audit-search.ts'
import { actorLabels, outcomeChips } from './audit-words.ts'

type Props = {
  screen: SearchState<typeof auditSearch>
  /** The rows are there: what else is asked may follow. */
  ready: boolean
}

const all: Choice = { value: '', label: 'All' }
const actorChoices = [all, ...Object.entries(actorLabels).map(([value, label]) => ({ value, label }))]
const outcomeChoices = [all, ...Object.entries(outcomeChips).map(([value, { label }]) => ({ value, label }))]
const choicesOf = (values: readonly string[] = []) => [all, ...values.map((value) => ({ value, label: value }))]

export function AuditToolbar({ screen, ready }: Props) {
  const [more, setMore] = useState(false)
  const { search } = screen.state
  return (
    <>
      <ListSearch screen={screen} label="Search customer, site, person or ID" />
      {search.length > 0 && search.length < minSearch ? (
        <span className={css['muted']} role="status">
          At least three characters
        </span>
      ) : null}
      <ListSelect screen={screen} field="outcome" label="Outcome" choices={outcomeChoices} />
      <Button
        variant="outlined"
        startIcon={<Icon name="filter" />}
        aria-expanded={more}
        onClick={() => setMore((shown) => !shown)}
      >
        {more ? 'Fewer filters' : 'More filters'}
      </Button>
      {more ? <MoreFilters screen={screen} ready={ready} /> : null}
    </>
  )
}

function MoreFilters({ screen, ready }: Props) {
  const facets = useQuery({ ...q(audit.listAuditFacets, {}), enabled: ready })
  const unknown = facets.isError ? 'The choices could not be loaded' : undefined
  return (
    <div className={css['more']}>
      <ListSelect screen={screen} field="actor_type" label="Actor" choices={actorChoices} />
      <ListSelect
        screen={screen}
        field="action"
        label="Action"
        choices={choicesOf(facets.data?.actions)}
        disabledReason={unknown}
      />
      <ListSelect
        screen={screen}
        field="resource"
        label="Resource"
        choices={choicesOf(facets.data?.resources)}
        disabledReason={unknown}
      />
      <ListDate screen={screen} field="from" label="From" />
      <ListDate screen={screen} field="to" label="To" />
      <FilterText label="Address" value={screen.state.address} onChange={(address) => screen.set({ address })} />
    </div>
  )
}
