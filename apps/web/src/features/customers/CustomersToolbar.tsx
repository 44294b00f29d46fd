import { Button } from '../../ui/Button.tsx'
import { type Choice, FilterSelect } from '../../ui/FilterField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import type { CustomerSearch } from './customer-search.ts'

const statusChoices: readonly (Choice & { value: CustomerSearch['status'] })[] = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'pending', label: 'Pending' },
  { value: 'deleted', label: 'Deleted' },
]

type Props = {
  state: CustomerSearch
  onChange: (change: Partial<CustomerSearch>) => void
  onAdvanced: () => void
}

export function CustomersToolbar({ state, onChange, onAdvanced }: Props) {
  return (
    <>
      <SearchField
        label="Search name, email or company"
        value={state.search}
        onSearch={(search) => onChange({ search })}
      />
      <FilterSelect
        label="Status"
        value={state.status}
        choices={statusChoices}
        onChange={(status) => onChange({ status: status as CustomerSearch['status'] })}
      />
      <Button variant="outlined" startIcon={<Icon name="filter" />} aria-haspopup="dialog" onClick={onAdvanced}>
        Advanced Filters
      </Button>
    </>
  )
}
