import type { DeploymentCounts } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { type DeploymentsSearch, statusChoices } from './deployments-search.ts'

type Props = {
  state: DeploymentsSearch
  counts: DeploymentCounts | undefined
  onChange: (change: Partial<DeploymentsSearch>) => void
}

export function DeploymentsToolbar({ state, counts, onChange }: Props) {
  return (
    <>
      <SearchField
        label="Search site, version or commit"
        value={state.search}
        onSearch={(search) => onChange({ search })}
      />
      <FilterSelect
        label="Status"
        value={state.status}
        choices={statusChoices.map(({ value, label }) => ({
          value,
          label: counts ? `${label} (${formatCount(counts[value as DeploymentsSearch['status']])})` : label,
        }))}
        onChange={(status) => onChange({ status: status as DeploymentsSearch['status'] })}
      />
    </>
  )
}
