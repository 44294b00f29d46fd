import type { Role } from '@agency/contract/types'
import type { SearchState } from '../../lib/use-search-state.ts'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import type { usersSearch } from './users-search.ts'

type Props = {
  screen: SearchState<typeof usersSearch>
  /** undefined while they are not known; the choice then shows what the address says. */
  roles: readonly Role[] | undefined
}

const all = { value: '', label: 'All' }
const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

export function UsersToolbar({ screen, roles = [] }: Props) {
  const choices = [all, ...roles.map((role) => ({ value: role.name, label: role.display_name }))]
  return (
    <>
      <ListSearch screen={screen} label="Search name or email" />
      <ListSelect screen={screen} field="role" label="Role" choices={choices} />
      <ListSelect screen={screen} field="status" label="Status" choices={statuses} />
    </>
  )
}
