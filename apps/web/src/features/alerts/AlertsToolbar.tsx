import type * as alerts from '@agency/contract/descriptors/alerts'
import type { ResponseOf } from '../../lib/api.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import { ListSearch, ListSelect, ListToggles } from '../../ui/list/fields.tsx'
import { type AlertsSearch, type alertsSearch, severityChoices, sortChoices, statusChoices } from './alerts-search.ts'

type Counts = ResponseOf<typeof alerts.listAlerts>['counts']
type Props = { screen: SearchState<typeof alertsSearch>; counts: Counts | undefined; seesMoney: boolean }

export function AlertsToolbar({ screen, counts, seesMoney }: Props) {
  return (
    <>
      <ListSearch screen={screen} label="Search alert or subject" />
      <ListToggles
        screen={screen}
        field="severity"
        label="Severity"
        choices={severityChoices.map(({ value, label }) => ({
          value,
          label,
          count: counts?.[value as AlertsSearch['severity'][number]],
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
