import { healthChips, siteStatusChips } from '../../lib/site-status.ts'
import { type Choice, FilterSelect } from '../../ui/FilterField.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import type { SiteSearch } from './site-search.ts'

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

type Props = { state: SiteSearch; onChange: (change: Partial<SiteSearch>) => void }

export function SitesToolbar({ state, onChange }: Props) {
  return (
    <>
      <SearchField
        label="Search site, domain or customer"
        value={state.search}
        onSearch={(search) => onChange({ search })}
      />
      <FilterSelect
        label="Status"
        value={state.status}
        choices={statusChoices}
        onChange={(status) => onChange({ status: status as SiteSearch['status'] })}
      />
      <FilterSelect
        label="Health"
        value={state.health}
        choices={healthChoices}
        onChange={(health) => onChange({ health: health as SiteSearch['health'] })}
      />
    </>
  )
}
