import type { Role } from '@agency/contract/types'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import type { UsersSearch } from './users-search.ts'

type Props = {
  state: UsersSearch
  /** undefined while they are not known; the choice then shows what the address says. */
  roles: readonly Role[] | undefined
  onChange: (change: Partial<UsersSearch>) => void
}

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

export function UsersToolbar({ state, roles = [], onChange }: Props) {
  return (
    <>
      <SearchField label="Search name or email" value={state.search} onSearch={(search) => onChange({ search })} />
      <FilterSelect
        label="Role"
        value={state.role}
        choices={[
          { value: '', label: 'All' },
          ...roles.map((role) => ({ value: role.name, label: role.display_name })),
        ]}
        onChange={(role) => onChange({ role })}
      />
      <FilterSelect
        label="Status"
        value={state.status}
        choices={statuses}
        onChange={(status) => onChange({ status: status as UsersSearch['status'] })}
      />
    </>
  )
}
