import type * as incidents from '@agency/contract/descriptors/incidents'
import type { ResponseOf } from '../../lib/api.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import { ListSearch, ListSelect, ListToggles } from '../../ui/list/fields.tsx'
import {
  type IncidentsSearch,
  type incidentsSearch,
  severityToggles,
  sortChoices,
  statusChoices,
} from './incidents-search.ts'

type Counts = ResponseOf<typeof incidents.listIncidents>['counts']
type Props = { screen: SearchState<typeof incidentsSearch>; counts: Counts | undefined; seesMoney: boolean }

export function IncidentsToolbar({ screen, counts, seesMoney }: Props) {
  return (
    <>
      <ListSearch screen={screen} label="Search incidents" />
      <ListToggles
        screen={screen}
        field="severity"
        label="Severity"
        choices={severityToggles.map(({ value, label }) => ({
          value,
          label,
          count: counts?.[value as IncidentsSearch['severity'][number]],
        }))}
      />
      <ListSelect screen={screen} field="status" label="Status" choices={statusChoices} />
      <ListSelect
        screen={screen}
        field="sort"
        label="Sort by"
        choices={sortChoices.filter(({ value }) => seesMoney || value !== 'money')}
      />
    </>
  )
}
