import { healthChips, siteStatusChips } from '../../lib/site-status.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import type { Choice } from '../../ui/FilterField.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import type { SiteSearch, siteSearch } from './site-search.ts'

type Of<K extends keyof SiteSearch> = readonly (Choice & { value: SiteSearch[K] })[]

const statusChoices: Of<'status'> = [
  { value: 'all', label: 'All' },
  ...(['active', 'pending', 'deploying', 'suspended', 'maintenance'] as const).map((value) => ({
    value,
    label: siteStatusChips[value].label,
  })),
]
const healthChoices: Of<'health'> = [
  { value: 'all', label: 'All' },
  ...(['healthy', 'degraded', 'down', 'unknown'] as const).map((value) => ({ value, label: healthChips[value].label })),
]

export function SitesToolbar({ screen }: { screen: SearchState<typeof siteSearch> }) {
  return (
    <>
      <ListSearch screen={screen} label="Search site, domain or customer" />
      <ListSelect screen={screen} field="status" label="Status" choices={statusChoices} />
      <ListSelect screen={screen} field="health" label="Health" choices={healthChoices} />
    </>
  )
}
